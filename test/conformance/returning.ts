/** Readers that come late, leave and return, of either surface. */
import type { AguiEvent } from '@triptych/protocol';
import { expectAlike, playJoined } from './joining.js';
import type { Reading } from './reading.js';
import { newThread, stand, TERMINALS, type Setting } from './suite.js';
import { names, type RunNames } from './words.js';

export const idsOf = ({ text }: Reading): string[] =>
  [...text.matchAll(/^id: (.+)$/gmu)].map(([, id]) => id ?? '');
export const isOver = ({ sent }: Reading): boolean => TERMINALS.has(sent.at(-1)?.type ?? '');

export const bothTokens = async ({ token, owner }: Setting): Promise<string[]> => [
  token,
  await stand().token(owner),
];

/** Attaches after a position and reads until the run is over. */
export const after = async (run: Setting, token: string, position: string): Promise<Reading> => {
  const reading = stand().attach({ threadId: run.threadId, token, lastEventId: position });
  await reading.until(() => isOver(reading));
  expect(await reading.leave()).toBeUndefined();
  return reading;
};

/** Every reader of either surface, joined at any cut, ends with what one who was there has. */
export const joinsAnywhere = async (events: (run: RunNames) => readonly AguiEvent[]): Promise<void> => {
  const setting = await newThread();
  const [token, customer] = (await bothTokens(setting)) as [string, string];
  const watching = stand().attach({ threadId: setting.threadId, token: customer });
  await watching.opened;
  const run = { ...names(setting), token, others: [customer], events: events(setting) };
  const { live, joined } = await playJoined(stand(), run);
  expect(await live.ended).toBeUndefined();
  expect(live.sent.filter(({ type }) => type === 'RUN_ERROR')).toEqual([]);
  await watching.until(() => isOver(watching));
  expect(await watching.leave()).toBeUndefined();
  await expectAlike(
    live,
    joined.filter((joiner) => joiner.token === token),
  );
  await expectAlike(
    watching,
    joined.filter((joiner) => joiner.token === customer),
  );
};

export const epochOf = async ({ threadId, token }: Setting): Promise<string | undefined> => {
  const { epoch } = await stand().product.json<{ epoch?: string }>(`/v1/threads/${threadId}/log?limit=1`, {
    token,
  });
  return epoch;
};

/** Leaves after whatever came, and goes on from there: all that was kept by the end. */
export const goAndReturn = async (threadId: string, token: string): Promise<string[]> => {
  let kept: string[] = [];
  let position: string | undefined;
  for (;;) {
    const from = position === undefined ? {} : { lastEventId: position };
    const reading = stand().attach({ threadId, token, ...from });
    await reading.until(() => idsOf(reading).length > 0);
    const count = idsOf(reading).length;
    position = idsOf(reading).at(-1);
    kept = [...kept, ...reading.sentTexts.slice(0, count)];
    await reading.leave();
    if (TERMINALS.has((JSON.parse(kept.at(-1) ?? '{}') as AguiEvent).type)) return kept;
  }
};
