/** Shapes the answers to open questions: yes or no, or whatever the question's schema asks for. */
import type { Interrupt, ResumeEntry } from '@triptych/protocol';

export type Schema = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly value: unknown;
  readonly fitting: boolean;
}

const NOTE: Schema = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer', minLength: 1 } },
  required: ['answer'],
};

const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema.properties ?? {}) as Readonly<Record<string, Schema>>;

/** A decision is answered with yes or no; the rest of its schema is for people who edit. */
export const isYesNo = (interrupt: Interrupt): boolean => {
  const { responseSchema, reason } = interrupt;
  if (responseSchema !== undefined && propertiesOf(responseSchema as Schema).approved?.type === 'boolean')
    return true;
  return reason === 'tool_call' || reason === 'confirmation';
};

/** Without a schema a free answer is all there is to ask for. */
export const schemaOf = (interrupt: Interrupt): Schema =>
  (interrupt.responseSchema as Schema | undefined) ?? NOTE;

export const entryFor = (interruptId: string, payload: unknown): ResumeEntry =>
  ({ interruptId, status: 'resolved', payload }) as ResumeEntry;

/** All or none: the hub takes one entry for every question the customer may answer. */
export const entriesOf = (
  questions: readonly Interrupt[],
  answers: ReadonlyMap<string, Answer>,
): readonly ResumeEntry[] | undefined => {
  const given = questions.map((question) => answers.get(question.id));
  if (!given.every((answer) => answer?.fitting)) return undefined;
  return questions.map((question, index) => entryFor(question.id, given[index]?.value ?? {}));
};
