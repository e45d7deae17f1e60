/** Cases 37–48: words in pieces, and the short form that the hub writes out. */
import type { AguiEvent } from '@triptych/protocol';
import { caseOf, expectLegal, expectPass, expectRefused, play, stand, type Played } from './suite.js';
import { chunk, close, custom, e, open, plan, RF, RS, say, sub, subEnd, text } from './words.js';

const saidTo = ({ model }: Played['live']): unknown => model.messages.map(({ content }) => content);

/** Live, replayed from its beginning, and joined afterwards: the same bytes, or at least the same words. */
const expectOnEverySurface = async (played: Played, content: string): Promise<void> => {
  const { threadId, token, live, customer } = played;
  const replayed = stand().attach({ threadId, token }, `?after=${await emptyPosition(played)}`);
  await replayed.until(() => replayed.sent.at(-1)?.type === 'RUN_FINISHED');
  await replayed.leave();
  expect(replayed.sentTexts).toEqual(live.sentTexts);
  const joined = stand().connect({ threadId, token });
  await joined.ended;
  for (const reader of [live, customer, replayed, joined]) expect(saidTo(reader)).toEqual([content]);
};

/** The operator's position before the first event. */
const emptyPosition = async ({ threadId, token }: Played): Promise<string> => {
  const { epoch } = await stand().product.json<{ epoch: string }>(`/v1/threads/${threadId}/log?limit=1`, {
    token,
  });
  return encodeURIComponent(`${epoch}:0`);
};

/** A run whose events are these. */
const writtenOut = ({ threadId, runId }: Played, ...events: readonly AguiEvent[]): AguiEvent[] => [
  RS({ threadId, runId }),
  ...events,
  RF({ threadId, runId }),
];

const passes = async (content: string, ...deltas: readonly string[]): Promise<void> => {
  const texts = deltas.map((delta) => `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":${delta}}`);
  const played = await play((run) => [RS(run), open('m'), ...texts, close('m'), RF(run)]);
  await expectPass(played);
  await expectOnEverySurface(played, content);
};

describe('C. text', () => {
  caseOf(37, 'may be empty', async () => {
    await passes('', '""');
  });

  caseOf(38, 'cut inside a character comes together again, its halves untouched', async () => {
    await passes('\u{1F44D}', '"\\ud83d"', '"\\udc4d"');
    await passes('a\u{1F44D}b', '"a\\uD83D"', '"\\uDC4Db"');
  });

  caseOf(39, 'cut anywhere is neither composed nor trimmed', async () => {
    await passes('e\u0301', '"e"', '"\u0301"');
    await passes('\u{1F469}\u200D\u{1F680}', '"\u{1F469}\u200D"', '"\u{1F680}"');
    await passes('  spaced \n', '"  "', '"spaced "', '"\\n"');
    const words = 'grüße, 你好, \u{1F680}';
    const played = await play((run) => [RS(run), ...text('m', words), RF(run)], {
      answer: (texts) => ({
        body: [...Buffer.from(texts.map((json) => `data: ${json}\n\n`).join(''))].flatMap((byte, index) => [
          Uint8Array.of(byte),
          ...(index % 16 === 0 ? [() => new Promise((resolve) => setImmediate(resolve))] : []),
        ]),
      }),
    });
    await expectPass(played);
    await expectOnEverySurface(played, words);
  });

  caseOf(40, 'may hold what frames, lines and stores stumble over', async () => {
    await passes('\u2028\u2029', '"\u2028"', '"\\u2029"');
    await passes('a\u0000b', '"a\\u0000b"');
    await passes('one\ndata: two\n\nid: 3\r\nevent: x', '"one\\ndata: two\\n\\nid: 3\\r\\nevent: x"');
    await passes('\u{FEFF}bom</script>', '"\u{FEFF}bom</script>"');
  });

  caseOf(41, 'is opened once, said while open, and closed once', async () => {
    const after = ['RUN_STARTED'];
    await expectRefused(await play((run) => [RS(run), say('m', 'hi')]), { rule: 'not-open', after });
    await expectRefused(await play((run) => [RS(run), open('m'), open('m')]), {
      rule: 'already-open',
      after: [...after, 'TEXT_MESSAGE_START'],
    });
    await expectRefused(await play((run) => [RS(run), ...text('m', 'hi'), close('m')]), {
      rule: 'not-open',
      after: [...after, 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
    });
  });

  caseOf(42, 'that was closed may be opened again, and goes on', async () => {
    const played = await play((run) => [RS(run), ...text('m', 'one'), ...text('m', ', two'), RF(run)]);
    await expectPass(played);
    expect(saidTo(played.customer)).toEqual(['one, two']);
  });

  caseOf(43, 'in chunks is written out', async () => {
    const played = await play((run) => [
      RS(run),
      chunk({ messageId: 'm', delta: 'a' }),
      chunk({ delta: 'b' }),
      RF(run),
    ]);
    await expectPass(
      played,
      writtenOut(played, open('m', { role: 'assistant' }), say('m', 'a'), say('m', 'b'), close('m')),
    );
    expect(saidTo(played.customer)).toEqual(['ab']);
  });

  caseOf(44, 'in chunks begins with an id, and a call with its name', async () => {
    for (const first of [chunk({ delta: 'a' }), e('TOOL_CALL_CHUNK', { toolCallId: 'c', delta: '{}' })])
      await expectRefused(await play((run) => [RS(run), first, RF(run)]), {
        rule: 'chunk-without-id',
        after: ['RUN_STARTED'],
      });
  });

  caseOf(45, 'in chunks may repeat what it began with, and may not contradict it', async () => {
    const first = chunk({ messageId: 'm', role: 'assistant', delta: 'a' });
    const rule = 'chunk-conflict';
    const opened = ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'];
    const other = await play((run) => [RS(run), first, chunk({ messageId: 'm', role: 'user', delta: 'b' })]);
    await expectRefused(other, { rule, after: opened });
    const called = { toolCallId: 'c', toolCallName: 'lookUp', delta: '{' };
    const renamed = await play((run) => [
      RS(run),
      e('TOOL_CALL_CHUNK', called),
      e('TOOL_CALL_CHUNK', { ...called, toolCallName: 'pay' }),
    ]);
    await expectRefused(renamed, { rule, after: ['RUN_STARTED', 'TOOL_CALL_START', 'TOOL_CALL_ARGS'] });
    const repeated = await play((run) => [RS(run), first, { ...first, delta: 'b' }, RF(run)]);
    await expectLegal(repeated);
    expect(saidTo(repeated.customer)).toEqual(['ab']);
  });

  caseOf(46, 'in chunks is closed by a CUSTOM, and by a RAW or an activity it is not', async () => {
    const around = (between: AguiEvent) =>
      play((run) => [
        RS(run),
        chunk({ messageId: 'm', delta: 'a' }),
        between,
        chunk({ delta: 'b' }),
        RF(run),
      ]);
    await expectRefused(await around(custom('hidden', 1)), {
      rule: 'chunk-without-id',
      after: ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'CUSTOM'],
    });
    for (const between of [e('RAW', { event: { any: 1 } }), plan('p', { steps: 1 })]) {
      const played = await around(between);
      await expectLegal(played);
      expect(played.record.refused).toEqual([]);
      expect(JSON.stringify(saidTo(played.customer))).toContain('"ab"');
    }
  });

  caseOf(47, 'in chunks of two subagents at once needs a name; the end of one closes its own', async () => {
    const two = [
      sub('s1'),
      sub('s2'),
      chunk({ messageId: 'a', delta: 'one', subagentRunId: 's1' }),
      chunk({ messageId: 'b', delta: 'two', subagentRunId: 's2' }),
    ];
    const unnamed = await play((run) => [RS(run), ...two, chunk({ delta: '?' })]);
    await expectLegal(unnamed);
    expect(unnamed.record.refused).toMatchObject([{ rule: 'chunk-ambiguous' }]);
    const ended = await play((run) => [
      RS(run),
      ...two,
      subEnd('s1'),
      chunk({ delta: '!' }),
      subEnd('s2'),
      RF(run),
    ]);
    await expectLegal(ended);
    expect(ended.record.refused).toEqual([]);
    expect(saidTo(ended.live)).toEqual(['one', 'two!']);
  });

  caseOf(48, 'in chunks is not closed by hand', async () => {
    const played = await play((run) => [RS(run), chunk({ messageId: 'm', delta: 'a' }), close('m'), RF(run)]);
    await expectRefused(played, {
      rule: 'not-open',
      after: ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
    });
  });
});
