/** Holds an event against the published schema; nothing is coerced, and what a later version adds is no fault. */
import { EventSchema } from '@ag-ui/core/schemas';
import type { AguiEvent, KnownEvent } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { writePointer } from '../json/json-pointer.js';
import { withoutUnknown } from '../known-material.js';
import type { EventLimits } from '../limits.js';
import { isViolation, violation, type Violation } from './violations.js';

const SCHEMAS: ReadonlyMap<string, (typeof EventSchema.options)[number]> = new Map(
  EventSchema.options.map((schema) => [schema.shape.type.value, schema]),
);

export interface Shaped {
  /** The event as a reader of this version takes it. */
  readonly event: KnownEvent;
  readonly warnings: readonly string[];
}

const NO_WARNINGS: readonly string[] = [];

/** The first fault the schema finds. */
const faultIn = (event: AguiEvent): Violation | undefined => {
  const checked = SCHEMAS.get(event.type)?.safeParse(event);
  if (!checked || checked.success) return undefined;
  const [issue] = checked.error.issues;
  const pointer = writePointer(issue?.path ?? []);
  return violation('malformed', `${event.type}${pointer}: ${issue?.message ?? 'malformed'}`, pointer);
};

const shapeOf = (event: AguiEvent): Shaped | Violation => {
  const fault = faultIn(event);
  if (!fault) return { event: event as unknown as KnownEvent, warnings: NO_WARNINGS };
  const trimmed = withoutUnknown(event);
  if (trimmed.dropped.length === 0) return fault;
  const left = faultIn(trimmed.event);
  return (
    left ?? {
      event: trimmed.event as unknown as KnownEvent,
      warnings: trimmed.dropped.map(
        (at) => `${event.type}${at} is not of this version; readers leave it out`,
      ),
    }
  );
};

const interruptsFault = ({ outcome }: EventOf<'RUN_FINISHED'>, most: number): Violation | undefined => {
  if (outcome?.type !== 'interrupt') return undefined;
  const { interrupts } = outcome;
  if (interrupts.length > most)
    return violation('too-many-interrupts', `A run may ask ${most} questions at once.`);
  const seen = new Set<string>();
  const twice = interrupts.findIndex(({ id }) => seen.size === seen.add(id).size);
  if (twice < 0) return undefined;
  const id = interrupts[twice]?.id ?? '';
  return violation(
    'duplicate-interrupt',
    `Two interrupts carry the id '${id}'.`,
    `/outcome/interrupts/${twice}/id`,
  );
};

const messagesFault = ({ messages }: EventOf<'MESSAGES_SNAPSHOT'>): Violation | undefined => {
  const seen = new Set<string>();
  const twice = messages.findIndex(({ id }) => seen.size === seen.add(id).size);
  if (twice < 0) return undefined;
  return violation(
    'duplicate-message',
    `Two messages carry the id '${messages[twice]?.id ?? ''}'.`,
    `/messages/${twice}/id`,
  );
};

const patchFault = (operations: readonly unknown[], most: number): Violation | undefined =>
  operations.length > most
    ? violation('too-many-operations', `A patch may have ${most} operations.`)
    : undefined;

/** What no schema can say: ids that must differ, and lists that must end. */
const boundsFault = (event: KnownEvent, limits: EventLimits): Violation | undefined => {
  switch (event.type) {
    case 'RUN_FINISHED':
      return interruptsFault(event, limits.interrupts);
    case 'MESSAGES_SNAPSHOT':
      return messagesFault(event);
    case 'STATE_DELTA':
      return patchFault(event.delta, limits.patchOps);
    case 'ACTIVITY_DELTA':
      return patchFault(event.patch, limits.patchOps);
    default:
      return undefined;
  }
};

export const checkShape = (event: AguiEvent, limits: EventLimits): Shaped | Violation => {
  const shaped = shapeOf(event);
  if (isViolation(shaped)) return shaped;
  return boundsFault(shaped.event, limits) ?? shaped;
};
