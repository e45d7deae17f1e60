/** Cases 106–120: order, storage, readers that return, and agents that do not keep to the form. */
import type { AguiEvent } from '@triptych/protocol';
import { frames, type Answer } from './loopback-agent.js';
import type { Reading } from './reading.js';
import { longStory } from './long-story.js';
import { after, bothTokens, epochOf, goAndReturn, idsOf, isOver, joinsAnywhere } from './returning.js';
import { caseOf, expectLegal, expectPass, newThread, play, stand, type Played } from './suite.js';
import {
  callArgs,
  callEnd,
  callOpen,
  close,
  names,
  next,
  open,
  RE,
  RF,
  RS,
  say,
  sub,
  subEnd,
  text,
} from './words.js';

/** A lawful run in bytes that are not one event a frame. */
const carried = async (answer: (texts: readonly string[]) => Answer): Promise<Played> =>
  play((run) => [RS(run), ...text('m', 'carried'), RF(run)], { answer });

const BREATH_MS = 15;

/** What was told, however its deltas were cut. */
const told = (texts: readonly string[]): string =>
  texts
    .map((json) => JSON.parse(json) as AguiEvent)
    .map(({ type, delta }) => (typeof delta === 'string' ? delta : ` ${type} `))
    .join('');

describe('I. order and return', () => {
  let quiet: Reading;
  beforeAll(async () => {
    const { threadId, token } = await newThread();
    quiet = stand().attach({ threadId, token });
  });

  caseOf(106, 'who leaves and returns gets everything once, while the run goes on', async () => {
    const setting = await newThread();
    const tokens = await bothTokens(setting);
    const { threadId, runId, token } = setting;
    const events = [RS(names(setting)), ...text('m', 'a', 'b', 'c', 'd', 'e'), RF(names(setting))];
    const whole = tokens.map((as) => stand().attach({ threadId, token: as }));
    const returning = tokens.map((as) => goAndReturn(threadId, as));
    await Promise.all(whole.map(({ opened }) => opened));
    const rest = () => new Promise((resolve) => setTimeout(resolve, BREATH_MS));
    stand().agent.will(threadId, { body: events.flatMap((event) => [...frames([event]).body, rest]) });
    expect(await stand().run({ threadId, runId, token }).ended).toBeUndefined();
    for (const [who, reading] of whole.entries()) {
      await reading.until(() => isOver(reading));
      await reading.leave();
      expect(told((await returning[who]) ?? [])).toBe(told(reading.sentTexts));
    }
  });

  caseOf(107, 'a position that cannot be is answered with what there is, and says so', async () => {
    const played = await play((run) => [RS(run), ...text('m', 'here'), RF(run)]);
    const { threadId } = played;
    const [token, customer] = (await bothTokens(played)) as [string, string];
    const [position = ''] = idsOf(played.customer);
    const impossible = [
      [token, 'deadbeef:3'],
      [token, `${(await epochOf(played)) ?? ''}:9999`],
      [token, 'nonsense'],
      [customer, `${position.slice(0, -2)}AA`],
      [customer, 'deadbeef:1'],
    ] as const;
    for (const [as, lastEventId] of impossible) {
      const reading = stand().attach({ threadId, token: as, lastEventId });
      await reading.until(() => isOver(reading));
      await reading.leave();
      expect([lastEventId, reading.recovered]).toEqual([lastEventId, 'snapshot']);
      expect(reading.text).toContain('event: prelude');
      expect(reading.model).toEqual((as === token ? played.live : played.customer).model);
    }
  });

  caseOf(108, 'a position older than what is kept at hand leads to a snapshot, and then on', async () => {
    const setting = await newThread();
    const long = Array.from({ length: 24 }, () => 'y'.repeat(100_000));
    const early = await play((run) => [RS(run), ...text('m', 'first'), RF(run)], {}, setting);
    const [first = ''] = idsOf(early.customer);
    const more = { ...setting, ...next(setting) };
    const played = await play((run) => [RS(run), ...text('n', ...long), RF(run)], {}, more);
    const [, customer = ''] = await bothTokens(setting);
    const reading = await after(played, customer, first);
    const last = { ...setting, runId: `${setting.runId}-last` };
    const joined = stand().attach({ threadId: setting.threadId, token: customer, lastEventId: first });
    await joined.until(() => isOver(joined));
    await play((run) => [RS(run), ...text('o', 'live'), RF(run)], {}, last);
    await joined.until(() => joined.text.includes('"live"'));
    await joined.leave();
    expect(joined.recovered).toBe('snapshot');
    const said = (one: Reading): unknown =>
      one.model.messages.map(({ content }) => (content as string).length);
    expect(said(reading)).toEqual([5, 2_400_000]);
    expect(said(joined)).toEqual([5, 2_400_000, 4]);
  });

  caseOf(
    109,
    'who kept its messages and connects again is told them as they are, not once more',
    async () => {
      const played = await play((run) => [
        RS(run),
        ...text('m', 'hel', 'lo'),
        ...text('n', 'again'),
        RF(run),
      ]);
      const readers = [
        [played.token, played.live],
        [await stand().token(played.owner), played.customer],
      ] as const;
      for (const [token, { model }] of readers) {
        const { threadId } = played;
        const again = stand().connect({ threadId, token, messages: model.messages, state: model.state });
        expect(await again.ended).toBeUndefined();
        expect(again.model.messages).toEqual(model.messages);
      }
    },
  );

  caseOf(110, 'who joins at any event of a run with everything in it ends as one who was there', async () => {
    await joinsAnywhere(longStory);
  });

  caseOf('110a', 'who joins when a parent is closed still takes its later child', async () => {
    await joinsAnywhere((run) => [
      RS(run),
      sub('s1'),
      subEnd('s1'),
      sub('s2', { parentSubagentRunId: 's1' }),
      subEnd('s2'),
      sub('s3', { parentSubagentRunId: 's1' }),
      subEnd('s3'),
      RF(run),
    ]);
  });

  caseOf('110b', 'who joins while a message is open keeps the newest of its metadata', async () => {
    await joinsAnywhere((run) => [
      RS(run),
      open('m', { metadata: { k: 1, kept: true } }),
      say('m', 'a', { metadata: { k: 2 } }),
      callOpen('c', 'lookUp', { metadata: { k: 1 } }),
      callArgs('c', '{}', { metadata: { k: 2 } }),
      say('m', 'b'),
      callEnd('c'),
      close('m'),
      RF(run),
    ]);
  });

  caseOf(111, 'a thread with a failed run is replayed and joined lawfully', async () => {
    const played = await play((run) => [
      RS(run),
      ...text('m', 'one'),
      open('half'),
      RE('lost'),
      RS(next(run)),
      ...text('n', 'two'),
      RF(next(run)),
    ]);
    await expectPass(played);
    const start = `${(await epochOf(played)) ?? ''}:0`;
    const replay = stand().attach({ threadId: played.threadId, token: played.token, lastEventId: start });
    await replay.until(() => replay.sent.length === played.live.sent.length);
    expect(await replay.leave()).toBeUndefined();
    const joined = stand().connect({ threadId: played.threadId, token: played.token });
    expect(await joined.ended).toBeUndefined();
    for (const { model } of [replay, joined]) expect(model).toEqual(played.live.model);
  });

  caseOf(112, 'a replay keeps of each run what its producer wrote', async () => {
    const more = { timestamp: 1_700_000_000_123, rawEvent: { from: 'x' }, metadata: { trace: 't' } };
    const played = await play((run) => [
      RS(run, { protocolVersion: '1.0', ...more }),
      open('m', more),
      close('m', more),
      { ...RF(run), ...more },
      RS(next(run), { protocolVersion: '1.1', parentRunId: run.runId }),
      RF(next(run)),
    ]);
    await expectPass(played);
    const start = `${(await epochOf(played)) ?? ''}:0`;
    const replay = stand().attach({ threadId: played.threadId, token: played.token, lastEventId: start });
    await replay.until(() => replay.sent.length === played.texts.length);
    await replay.leave();
    expect(replay.sentTexts).toEqual(played.live.sentTexts);
    expect(replay.sent[0]).toMatchObject({ runId: played.runId, protocolVersion: '1.0', ...more });
    expect(replay.sent[4]).toMatchObject({ ...next(names(played)), protocolVersion: '1.1' });
  });

  caseOf(
    113,
    'an end that the hub wrote comes right after the last event, and is marked as its own',
    async () => {
      const { record } = await play((run) => [RS(run), open('m'), say('m', 'and th')]);
      expect(record.stored.map(({ seq, source }) => [seq, source])).toEqual([
        [1, 'agent'],
        [2, 'agent'],
        [3, 'agent'],
        [4, 'hub'],
      ]);
    },
  );

  caseOf(114, 'two hubs tell one thread in one order, at the same positions', async () => {
    const other = await stand().product.anotherHub();
    const setting = await newThread();
    const { threadId, token } = setting;
    const [, customer = ''] = await bothTokens(setting);
    const readers = [token, customer].map((as) =>
      [undefined, other.url].map((hub) => stand().attach({ threadId, token: as, ...(hub ? { hub } : {}) })),
    );
    await Promise.all(readers.flat().map(({ opened }) => opened));
    const runs = Array.from({ length: 6 }, (_, index) => ({ threadId, runId: `r${index}` }));
    for (const [index, run] of runs.entries()) {
      stand().agent.will(threadId, frames([RS(run), ...text(`m${index}`, 'a', 'b'), RF(run)]));
      const live = stand().run({ ...run, token, ...(index % 2 === 0 ? {} : { hub: other.url }) });
      expect(await live.ended).toBeUndefined();
    }
    const ends = ({ sent }: Reading): number => sent.filter(({ type }) => type === 'RUN_FINISHED').length;
    for (const [one, another] of readers as [Reading, Reading][]) {
      for (const reading of [one, another]) {
        await reading.until(() => ends(reading) === runs.length);
        expect(await reading.leave()).toBeUndefined();
      }
      expect(another.model).toEqual(one.model);
      expect(idsOf(another).at(-1)).toBe(idsOf(one).at(-1));
    }
    const { stored } = await stand().record(threadId);
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
    await other.stop();
  });

  caseOf(115, 'who reads too slowly is brought up to date, and nothing is missing', async () => {
    const setting = await newThread();
    const { threadId, runId, token } = setting;
    const screen = await stand().screen('customer', setting.owner);
    await screen.subscribe(threadId);
    screen.socket.pause();
    const words = Array.from({ length: 60 }, (_, index) => `${index}${'z'.repeat(90_000)}`);
    stand().agent.will(
      threadId,
      frames([RS({ threadId, runId }), ...text('m', ...words), RF({ threadId, runId })]),
    );
    expect(await stand().run({ threadId, runId, token }).ended).toBeUndefined();
    screen.socket.resume();
    const model = await screen.until(threadId, ({ run }) => run?.finished !== undefined);
    expect(model.messages.map(({ content }) => content)).toEqual([words.join('')]);
    expect(screen.gaps).toEqual([]);
    await screen.close();
  });

  caseOf(116, 'a quiet stream is kept open by comments, not by events', async () => {
    await quiet.until(() => quiet.text.includes(': hb\n\n'));
    await quiet.leave();
    expect(quiet.sent).toEqual([]);
  });

  caseOf(
    117,
    'an agent may use all of the grammar of event streams, and readers get plain lines',
    async () => {
      const ways: readonly ((texts: readonly string[]) => string)[] = [
        (texts) => texts.map((json) => `data: ${json}\r\n\r\n`).join(''),
        (texts) => texts.map((json) => `data:${json}\r\r`).join(''),
        (texts) =>
          `\u{FEFF}: hello\n\n${texts.map((json, i) => `id: ${i}\nevent: x\nretry: 9\ndata: ${json}\n\n`).join('')}`,
        (texts) => texts.map((json) => `data: ${json.replaceAll(',', ',\ndata: ')}\n\n`).join(''),
        (texts) => texts.map((json) => `data: ${json}`).join('\n\n'),
      ];
      for (const way of ways) {
        const played = await carried((texts) => ({ body: [way(texts)] }));
        await expectLegal(played);
        expect(played.record.refused).toEqual([]);
        expect(played.customer.model.messages).toMatchObject([{ content: 'carried' }]);
        for (const reading of [played.live, played.customer]) expect(reading.text).not.toContain('\r');
      }
    },
  );

  caseOf(
    118,
    'an agent sends one event a frame: no batches, no marks of an end, no bare values',
    async () => {
      const strange = [
        '[{"type":"CUSTOM","name":"CARD","value":1}]',
        '[DONE]',
        'null',
        '7',
        '{"name":"x"}',
        '{',
      ];
      for (const data of strange) {
        const played = await play((run) => [RS(run), data, RF(run)]);
        await expectLegal(played);
        expect(played.live.sent.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/protocol-violation' });
        expect(played.record.refused).toHaveLength(1);
        expect(played.live.sent).toHaveLength(2);
      }
    },
  );

  caseOf(119, 'an agent that says no, or is away, ends the run so that nobody is left waiting', async () => {
    const answers: readonly Answer[] = [
      ...[400, 401, 404, 429, 500, 503].map((status) => ({
        status,
        type: 'application/json',
        body: ['{"no":1}'],
      })),
      { status: 200, type: 'application/json', body: ['{}'] },
      { status: 302, body: [] },
    ];
    for (const answer of answers) {
      const played = await play(() => [], { answer: () => answer });
      await expectLegal(played);
      expect(played.live.types).toEqual(['RUN_STARTED', 'RUN_ERROR']);
      for (const { sent } of [played.live, played.customer])
        expect(sent.at(-1)).toMatchObject({ code: 'hub/agent-unavailable' });
    }
  });

  caseOf(120, 'a thread has one run at a time', async () => {
    const { threadId, runId, token, owner } = await newThread();
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    stand().agent.will(threadId, {
      body: [
        ...frames([RS({ threadId, runId })]).body,
        () => gate,
        ...frames([RF({ threadId, runId })]).body,
      ],
    });
    const live = stand().run({ threadId, runId, token });
    await live.until(() => live.sent.length === 1);
    for (const as of [token, await stand().token(owner)]) {
      const second = stand().run({ threadId, runId: 'second', token: as });
      expect(await second.ended).toMatchObject({ status: 409, payload: { error: { code: 'THREAD_BUSY' } } });
    }
    goOn();
    expect(await live.ended).toBeUndefined();
    expect(stand().agent.asked(threadId)).toHaveLength(1);
  });
});
