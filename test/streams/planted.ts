/**
 * Puts a secret of its own into every member that AG-UI's published schema knows, and into one at each object that it does
 * not know: a member that a later version adds is planted without anyone thinking of it.
 */
import {
  ActivityMessageSchema,
  AssistantMessageSchema,
  DeveloperMessageSchema,
  EventSchema,
  ImagePartSchema,
  InterruptSchema,
  ReasoningMessageSchema,
  RunAgentInputSchema,
  SystemMessageSchema,
  TextPartSchema,
  ToolCallSchema,
  ToolMessageSchema,
  UserMessageSchema,
} from '@ag-ui/core/schemas';
import type { AguiEvent } from '@triptych/protocol';

/** In no byte that a customer or a reviewer gets, nor in a log or a job. */
const NOBODYS = 'zq7xk9';
/** A reviewer has a right to it, a customer has not. */
const REVIEWERS = 'vw3jh5';
/** Numbers have no words: these begin so, and have eleven digits. */
const FIRST_NUMBER = 77_077_000_000;

export type Readers = 'nobody' | 'reviewers';
const FORBIDDEN = {
  customer: /(?:zq7xk9|vw3jh5)\d*|\b77077\d{6}\b/gu,
  reviewer: /zq7xk9\d*|\b77077\d{6}\b/gu,
} as const;

/** Where each secret was planted, by its number. */
const places: string[] = [];

/** The mark stands at both ends, so that each half of it is one too. */
export const secret = (place: string, readers: Readers = 'nobody'): string => {
  const mark = readers === 'nobody' ? NOBODYS : REVIEWERS;
  places.push(place);
  return `${mark}${places.length - 1}${mark}`;
};

/** What the text tells this reader that it must not: where it was planted. */
export const leaksIn = (reader: keyof typeof FORBIDDEN, text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(FORBIDDEN[reader])].map(([found]) => {
      const number = found.replace(/^(?:zq7xk9|vw3jh5|77077)/u, '');
      return number === '' ? found : `${places[Number(number)] ?? '?'} (${found})`;
    }),
  ),
];

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly out?: Schema;
}
interface Schema {
  readonly _zod: { readonly def: Definition };
  safeParse(value: unknown): { readonly success: boolean };
}

/** `nth`: which of several forms a value takes. */
interface Spot {
  readonly place: string;
  readonly nth: number;
}

const UNPLANNED = 'unplanned';
const at = (spot: Spot, name: string): Spot => ({ ...spot, place: `${spot.place}/${name}` });

/** JSON of anybody's making: members, names of members and elements. */
const anything = ({ place }: Spot): object => ({
  note: secret(place),
  [secret(`${place} (a name)`)]: [secret(`${place}/…/0`)],
});

const planText = (schema: Schema, { place }: Spot): string => {
  const text = secret(place);
  return schema.safeParse(text).success ? text : `/${text}`;
};

const planNumber = ({ place }: Spot): number => {
  places.push(place);
  return FIRST_NUMBER + places.length - 1;
};

const planList = (element: Schema, spot: Spot): unknown[] => {
  const kinds = element._zod.def.options ?? [element];
  return kinds.map((kind, index) => fill(kind, at(spot, String(index))));
};

const planObject = (shape: Readonly<Record<string, Schema>>, spot: Spot): object => ({
  ...Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, fill(member, at(spot, name))])),
  [UNPLANNED]: secret(at(spot, UNPLANNED).place),
});

/** One of several, in turn. */
const chosen = <T>(of: readonly T[], { nth }: Spot): T => of[nth % of.length] as T;

const PLANS: Readonly<Record<string, (schema: Schema, spot: Spot, definition: Definition) => unknown>> = {
  object: (_, spot, { shape = {} }) => planObject(shape, spot),
  optional: (_, spot, { innerType }) => innerType && fill(innerType, spot),
  nullable: (_, spot, { innerType }) => innerType && fill(innerType, spot),
  default: (_, spot, { innerType }) => innerType && fill(innerType, spot),
  array: (_, spot, { element }) => element && planList(element, spot),
  union: (_, spot, { options = [] }) => fill(chosen(options, spot), spot),
  literal: (_, spot, { values = [] }) => chosen(values, spot),
  enum: (_, spot, { entries = {} }) => chosen(Object.values(entries), spot),
  string: planText,
  number: (_, spot) => planNumber(spot),
  boolean: () => true,
  any: (_, spot) => anything(spot),
  unknown: (_, spot) => anything(spot),
  custom: (_, spot) => anything(spot),
  record: (_, spot) => anything(spot),
  transform: (_, spot) => anything(spot),
  pipe: (_, spot, { out }) => out && fill(out, spot),
};

const fill = (schema: Schema, spot: Spot): unknown => {
  const definition = schema._zod.def;
  const plan = PLANS[definition.type];
  if (!plan) throw new Error(`Nobody knows how to plant a ${definition.type} at ${spot.place}.`);
  return plan(schema, spot, definition);
};

const EVENTS = new Map(EventSchema.options.map((schema) => [String(schema.shape.type.value), schema]));
/** All that AG-UI knows of today. */
export const EVENT_NAMES: readonly string[] = [...EVENTS.keys()];

/** The event with a secret in every member; `nth`: in another of its forms. */
export const planted = (type: string, nth = 0): AguiEvent => {
  const schema = EVENTS.get(type) as Schema | undefined;
  const spot = { place: type, nth };
  return (schema ? fill(schema, spot) : { type, ...anything(spot) }) as AguiEvent;
};

const PARTS = {
  interrupt: InterruptSchema,
  input: RunAgentInputSchema,
  call: ToolCallSchema,
  text: TextPartSchema,
  image: ImagePartSchema,
  developer: DeveloperMessageSchema,
  system: SystemMessageSchema,
  assistant: AssistantMessageSchema,
  user: UserMessageSchema,
  tool: ToolMessageSchema,
  activity: ActivityMessageSchema,
  reasoning: ReasoningMessageSchema,
} as const;

/** Part of an event, planted like one. */
export const plantedPart = (part: keyof typeof PARTS): Record<string, unknown> =>
  fill(PARTS[part] as unknown as Schema, { place: `(${part})`, nth: 0 }) as Record<string, unknown>;
