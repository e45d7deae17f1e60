/** Keeps account of what is open, so that whoever joins can be shown it open. */
import type { AguiEvent } from '../agui.js';
import type { Model, OpenItem } from './model.js';

/** Sent again, these would overwrite what came later, or tell an old time as a new one. */
const openerOf = (event: object): AguiEvent => {
  const { metadata: _metadata, rawEvent: _rawEvent, timestamp: _timestamp, ...opener } = event as AguiEvent;
  return opener as AguiEvent;
};

type Key = Pick<OpenItem, 'kind' | 'id'>;

const isNot =
  ({ kind, id }: Key) =>
  (item: OpenItem): boolean =>
    item.kind !== kind || item.id !== id;

export const opened = (model: Model, key: Key, event: object): Model => ({
  ...model,
  open: [...model.open.filter(isNot(key)), { ...key, opener: openerOf(event) }],
});

export const closed = (model: Model, key: Key): Model => ({ ...model, open: model.open.filter(isNot(key)) });
