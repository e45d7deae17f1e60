/** Cases 1–24: how runs begin and end. */
import { randomUUID } from 'node:crypto';
import { frames } from './loopback-agent.js';
import {
  caseOf,
  expectLegal,
  expectPass,
  expectRefused,
  newThread,
  play,
  stand,
  type Played,
  type Stream,
} from './suite.js';
import {
  callOpen,
  names,
  next,
  open,
  RE,
  RF,
  RS,
  say,
  spanOpen,
  step,
  sub,
  text,
  thinkOpen,
  type RunNames,
} from './words.js';

const statusOf = async (run: RunNames & { token: string }): Promise<{ status: string; code?: string }> => {
  return stand().product.json(`/v1/threads/${run.threadId}/runs/${run.runId}`, { token: run.token });
};

/** What comes after a run's end is kept for the operator, reaches nobody, and changes nothing. */
const expectOver = async (played: Played, types: readonly string[]): Promise<void> => {
  await expectLegal(played);
  for (const { sent } of [played.live, played.customer]) expect(sent.map(({ type }) => type)).toEqual(types);
  expect(played.record.refused).toMatchObject([{ rule: 'run-over' }]);
};

describe('A. a run', () => {
  caseOf(1, 'that says a word and ends leaves one message', async () => {
    const played = await play((run) => [RS(run), ...text('m', 'good', ' day'), RF(run)]);
    await expectPass(played);
    const said = [{ id: 'm', role: 'assistant', content: 'good day' }];
    expect(played.live.model.messages).toEqual(said);
    expect(played.customer.model.messages).toEqual(said);
    expect((await statusOf(played)).status).toBe('success');
  });

  caseOf(2, 'does not begin with a message', async () => {
    const played = await play((run) => [...text('m', 'hi'), RS(run), RF(run)]);
    await expectRefused(played, { rule: 'first-event', after: ['RUN_STARTED'] });
  });

  caseOf(3, 'that fails before it begins is begun by the hub and has failed', async () => {
    const played = await play(() => [RE('no model is free')]);
    await expectLegal(played);
    expect(played.record.stored).toMatchObject([
      { source: 'hub', event: { type: 'RUN_STARTED', runId: played.runId } },
      { source: 'agent', event: { type: 'RUN_ERROR', message: 'no model is free' } },
    ]);
    expect((await statusOf(played)).status).toBe('failed');
  });

  caseOf(4, 'may follow one that failed before it began', async () => {
    const types = ['RUN_STARTED', 'RUN_ERROR', 'RUN_STARTED', 'RUN_FINISHED'];
    const same = await play((run) => [RE(), RS(run), RF(run)]);
    await expectLegal(same);
    expect([same.live.types, (await statusOf(same)).status]).toEqual([types, 'success']);
    const played = await play((run) => [RE(), RS(next(run)), RF(next(run))]);
    await expectLegal(played);
    expect(played.live.types).toEqual(types);
    expect([
      (await statusOf(played)).status,
      (await statusOf({ ...played, ...next(played) })).status,
    ]).toEqual(['failed', 'success']);
  });

  caseOf(5, 'does not begin inside another', async () => {
    const played = await play((run) => [RS(run), RS(next(run)), RF(next(run))]);
    await expectRefused(played, { rule: 'run-active', after: ['RUN_STARTED'] });
  });

  caseOf(6, 'may follow another in one stream, and messages add up', async () => {
    const stream: Stream = (run) => [
      RS(run),
      ...text('a', 'one'),
      RF(run),
      RS(next(run)),
      ...text('b', 'two'),
      RF(next(run)),
    ];
    const played = await play(stream);
    await expectPass(played);
    for (const { model } of [played.live, played.customer])
      expect(model.messages.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  caseOf(7, 'says nothing more once it is over', async () => {
    const played = await play((run) => [RS(run), RF(run), ...text('m', 'late')]);
    await expectOver(played, ['RUN_STARTED', 'RUN_FINISHED']);
    expect((await statusOf(played)).status).toBe('success');
  });

  caseOf(8, 'may say after its end that it failed, and then has', async () => {
    const played = await play((run) => [RS(run), RF(run), RE('not flushed')]);
    await expectPass(played);
    expect(played.customer.sent.at(-1)?.type).toBe('RUN_ERROR');
    expect((await statusOf(played)).status).toBe('failed');
  });

  caseOf(9, 'ends once', async () => {
    const finished = ['RUN_STARTED', 'RUN_FINISHED'];
    await expectOver(await play((run) => [RS(run), RF(run), RF(run)]), finished);
    const failed = ['RUN_STARTED', 'RUN_ERROR'];
    await expectOver(await play((run) => [RS(run), RE('once'), RE('again')]), failed);
    await expectOver(await play((run) => [RS(run), RE('once'), RF(run)]), failed);
  });

  caseOf(10, 'that fails leaves open what was open, and nobody closes it for it', async () => {
    const played = await play((run) => [RS(run), open('m'), callOpen('c'), step('s'), RE()]);
    await expectPass(played);
    const again = stand().connect({ threadId: played.threadId, token: played.token });
    expect(await again.ended).toBeUndefined();
    expect(again.types.at(-1)).toBe('RUN_ERROR');
    expect(again.types.filter((type) => type.endsWith('_END'))).toEqual([]);
  });

  caseOf(11, 'may go on with a message that a failed one left open', async () => {
    const played = await play((run) => [
      RS(run),
      open('m'),
      say('m', 'a'),
      RE(),
      RS(next(run)),
      ...text('m', 'b'),
      RF(next(run)),
    ]);
    await expectPass(played);
    const joined = stand().connect({ threadId: played.threadId, token: played.token });
    expect(await joined.ended).toBeUndefined();
    for (const { model } of [played.live, played.customer, joined])
      expect(model.messages.map(({ content }) => content)).toEqual(['ab']);
  });

  caseOf(12, 'does not finish while anything is open', async () => {
    const opened = [open('m'), callOpen('c'), step('s'), spanOpen('q'), thinkOpen('q'), sub('s1')];
    for (const event of opened) {
      const played = await play((run) => [RS(run), event, RF(run)]);
      await expectRefused(played, { rule: 'open-at-end', after: ['RUN_STARTED', event.type] });
    }
  });

  caseOf(13, 'that stops without an end has not succeeded', async () => {
    const played = await play((run) => [RS(run), open('m'), say('m', 'half a')]);
    await expectLegal(played);
    expect(played.live.sent.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/upstream-truncated' });
    expect(played.record.stored.at(-1)?.source).toBe('hub');
    expect(played.live.types).not.toContain('RUN_FINISHED');
    expect((await statusOf(played)).status).toBe('failed');
  });

  caseOf(14, 'that was never begun is begun by the hub, and has not succeeded', async () => {
    const played = await play(() => []);
    await expectLegal(played);
    expect(played.record.stored).toMatchObject([
      { source: 'hub', event: { type: 'RUN_STARTED' } },
      { source: 'hub', event: { type: 'RUN_ERROR', code: 'hub/upstream-truncated' } },
    ]);
  });

  caseOf(15, 'finishes under its own names', async () => {
    const after = ['RUN_STARTED'];
    const otherRun = await play((run) => [RS(run), RF({ ...run, runId: 'another' })]);
    await expectRefused(otherRun, { rule: 'wrong-run', after });
    const otherThread = await play((run) => [RS(run), RF({ ...run, threadId: 'another' })]);
    await expectRefused(otherThread, { rule: 'wrong-thread', after });
  });

  caseOf(16, 'on another thread does not follow', async () => {
    const elsewhere = await newThread();
    const played = await play((run) => [RS(run), RF(run), RS(elsewhere), RF(elsewhere)]);
    await expectRefused(played, { rule: 'wrong-thread', after: ['RUN_STARTED', 'RUN_FINISHED'] });
    expect((await stand().record(elsewhere.threadId)).stored).toEqual([]);
  });

  caseOf(17, 'is the one that was asked for', async () => {
    const setting = await newThread();
    const first = await play((run) => [RS(run), RF(run)], {}, setting);
    const asked = { ...setting, runId: `run-${randomUUID()}` };
    const played = await play(() => [RS(first), RF(first)], {}, asked);
    expect(played.live.sent.at(-1)).toMatchObject({ code: 'hub/protocol-violation' });
    expect(played.record.refused).toMatchObject([{ rule: 'wrong-run' }]);
    expect([(await statusOf(first)).status, (await statusOf(played)).status]).toEqual(['success', 'failed']);
  });

  caseOf(18, 'id is used once: the same request attaches, another is refused', async () => {
    const played = await play((run) => [RS(run), ...text('m', 'hi'), RF(run)]);
    const { threadId, runId, token } = played;
    const again = stand().run({ threadId, runId, token });
    expect(await again.ended).toBeUndefined();
    expect(again.sentTexts).toEqual(played.live.sentTexts);
    const other = stand().run({
      threadId,
      runId,
      token,
      messages: [{ id: 'u', role: 'user', content: 'x' }],
    });
    expect(await other.ended).toMatchObject({ status: 409, payload: { error: { code: 'RUN_ID_CONFLICT' } } });
    expect(stand().agent.asked(threadId)).toHaveLength(1);
  });

  caseOf(19, 'may end cancelled once everything is closed', async () => {
    const played = await play((run) => [RS(run), ...text('m', 'well'), RF(run, { type: 'cancelled' })]);
    await expectPass(played);
    expect(played.customer.sent.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } });
    expect((await statusOf(played)).status).toBe('cancelled');
  });

  caseOf(20, 'goes on without its reader, and is stopped by cancel alone', async () => {
    const { threadId, runId, token } = await newThread();
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const run = { threadId, runId };
    const body = [...frames([RS(run), open('m')]).body, () => gate, ...frames([say('m', 'on')]).body];
    stand().agent.will(threadId, { body: [...body, () => new Promise<void>(() => undefined)] });
    const live = stand().run({ ...run, token });
    await live.until(() => live.sent.length === 2);
    await live.leave();
    goOn();
    const second = stand().attach({ threadId, token });
    await second.until(() => second.text.includes('"on"'));
    expect((await statusOf({ ...run, token })).status).toBe('running');
    await stand().product.fetch(`/v1/threads/${threadId}/runs/${runId}/cancel`, { token, body: {} });
    await second.until(() => second.sent.at(-1)?.type === 'RUN_ERROR');
    expect(second.sent.at(-1)).toMatchObject({ code: 'hub/cancelled' });
    expect(await second.leave()).toBeUndefined();
    expect((await statusOf({ ...run, token })).status).toBe('cancelled');
  });

  caseOf(21, 'with an outcome of a later version goes on verbatim and asks nothing', async () => {
    const played = await play((run) => [RS(run), RF(run, { type: 'deferred', until: 'tomorrow' })]);
    await expectPass(played);
    expect(played.live.model.pending).toEqual([]);
    expect(played.customer.text).not.toContain('deferred');
    expect((await statusOf(played)).status).toBe('success');
  });

  caseOf(22, 'has no outcome that is no object', async () => {
    for (const outcome of [[], 'success', 7]) {
      const played = await play((run) => [RS(run), RF(run, outcome)]);
      await expectRefused(played, { rule: 'malformed', after: ['RUN_STARTED'] });
    }
  });

  caseOf(23, 'may carry nulls that were once allowed: they are absent', async () => {
    const played = await play((run) => [
      RS(run, { rawEvent: null }),
      { ...RF(run), outcome: null, result: null, rawEvent: null },
    ]);
    await expectPass(played, [RS(names(played)), RF(names(played))]);
  });

  caseOf(24, 'tells what it used: counts below zero are refused, on an error they pass', async () => {
    const used = [{ provider: 'p', model: 'm', inputTokens: 12, outputTokens: 0 }];
    const wrong = await play((run) => [RS(run), { ...RF(run), usage: [{ inputTokens: -1 }] }]);
    await expectRefused(wrong, { rule: 'malformed', after: ['RUN_STARTED'] });
    await expectPass(await play((run) => [RS(run), { ...RF(run), usage: used }]));
    await expectPass(await play((run) => [RS(run), RE('broke', { usage: used })]));
  });
});
