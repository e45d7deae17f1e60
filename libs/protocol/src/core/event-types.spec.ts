import { EventSchema } from '@ag-ui/core/schemas';
import { EVENT_TYPES, isTerminal, known } from './event-types.js';

describe('event types', () => {
  it('are those of the published schema', () => {
    const published = EventSchema.options.map((schema) => String(schema.shape.type.value));
    expect([...EVENT_TYPES].toSorted()).toEqual(published.toSorted());
  });

  it.each(['toString', '__proto__', 'constructor', '', 'text_message_start'])('do not include %p', (type) => {
    expect(known({ type })).toBeUndefined();
  });

  it('give the event itself back', () => {
    const event = { type: 'CUSTOM', name: 'x', value: null };
    expect(known(event)).toBe(event);
  });

  it('end a run with two of them', () => {
    expect(EVENT_TYPES.filter((type) => isTerminal({ type }))).toEqual(['RUN_FINISHED', 'RUN_ERROR']);
  });
});
