/** Keeps the last CUSTOM events with their places among the messages, and tells them again to whoever joins. */
import type { AguiEvent } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { jsonBytes } from '../json/json-size.js';
import { isPlain } from '../known-material.js';
import { MAX_KEPT_CUSTOM, MAX_KEPT_CUSTOM_BYTES } from '../limits.js';
import type { KeptCustom, Model } from './model.js';

type Plain = Readonly<Record<string, unknown>>;

const without = (holder: Plain, key: string): Plain => {
  const { [key]: _gone, ...rest } = holder;
  return rest;
};

/** The holder without its member, if the member is empty. */
const pruned = (holder: Plain, key: string): Plain =>
  Object.keys(holder[key] as Plain).length === 0 ? without(holder, key) : holder;

/** Absent when the agent holds the place with a word of its own: then no place can be told, and none is kept. */
const hubOf = (event: AguiEvent): Plain | undefined => {
  const hub = isPlain(event.metadata) ? event.metadata.hub : undefined;
  if (hub === undefined) return {};
  return isPlain(hub) ? hub : undefined;
};

const kept = (event: AguiEvent, after: unknown): KeptCustom =>
  typeof after === 'string' ? { event, after } : { event };

/** A place that is told counts; else it is where the conversation stands. */
const placed = (event: AguiEvent, { messages }: Model): KeptCustom => {
  const hub = hubOf(event);
  if (hub === undefined) return { event };
  const { after } = hub;
  if (typeof after !== 'string' && after !== null) return kept(event, messages.at(-1)?.id);
  const metadata = pruned({ ...(event.metadata as Plain), hub: without(hub, 'after') }, 'hub');
  return kept(pruned({ ...event, metadata }, 'metadata') as AguiEvent, after);
};

/** A place counts as well: message ids may be long. */
const bytesOf = ({ event, after }: KeptCustom): number =>
  jsonBytes(event) + (after === undefined ? 0 : jsonBytes(after));

/** The oldest go first, when there are too many or they are too large together; the newest always stays. */
export const keepCustom = (model: Model, event: EventOf<'CUSTOM'>): Model => {
  const newest = placed(event as unknown as AguiEvent, model);
  let customBytes = model.customBytes + bytesOf(newest);
  const custom = [...model.custom, newest];
  while (custom.length > MAX_KEPT_CUSTOM || (customBytes > MAX_KEPT_CUSTOM_BYTES && custom.length > 1)) {
    const oldest = custom.shift();
    customBytes -= oldest === undefined ? 0 : bytesOf(oldest);
  }
  return { ...model, custom, customBytes };
};

/** Kept events as a reader is told them who has all messages already: with their places, where those are not the last. */
export const customAgain = (
  custom: readonly KeptCustom[],
  { messages }: Pick<Model, 'messages'>,
): readonly AguiEvent[] => {
  const last = messages.at(-1)?.id;
  return custom.map(({ event, after }) => {
    const hub = hubOf(event);
    if (hub === undefined || after === last) return event;
    const metadata = { ...(event.metadata as Plain | undefined), hub: { ...hub, after: after ?? null } };
    return { ...event, metadata };
  });
};
