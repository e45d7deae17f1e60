import { verifies } from '../../../../../test/spec/verifies.js';
import { jsonIn } from '../json-in.js';
import { TeamsDoor } from './teams-door.js';

const untouched = (): never => {
  throw new Error('a closed door asks nobody');
};

describe('the door of Teams', () => {
  verifies('BRG-82', 'is not there until an app is set up', async () => {
    const door = new TeamsDoor(undefined, { do: untouched } as never, { press: untouched } as never);
    expect(await door.hear('Bearer a.b.c', Buffer.from('{}'))).toMatchObject({
      refusal: { code: 'NOT_FOUND' },
    });
  });

  verifies('BRG-82', 'threat 13: reads JSON of bounded depth, and nothing else', () => {
    expect(jsonIn(Buffer.from('{"a":[1]}'))).toEqual({ ok: true, value: { a: [1] } });
    for (const text of [
      '',
      '{',
      '[1',
      `${'['.repeat(500_000)}`,
      `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
    ])
      expect(jsonIn(Buffer.from(text))).toMatchObject({ refusal: { code: 'INVALID_INPUT' } });
  });
});
