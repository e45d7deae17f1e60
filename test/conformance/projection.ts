/** Cases 63–70: what each surface is shown is itself a lawful stream, and shows no more than it may. */
import {
  caseOf,
  expectJoined,
  expectLegal,
  expectPass,
  newThread,
  play,
  stand,
  type Played,
} from './suite.js';
import { decideOn } from './desk.js';
import { frames } from './loopback-agent.js';
import {
  asks,
  by,
  call,
  callArgs,
  callEnd,
  callOpen,
  chunk,
  close,
  custom,
  delta,
  e,
  names,
  open,
  restate,
  result,
  RF,
  RS,
  say,
  state,
  step,
  stepEnd,
  sub,
  subEnd,
  text,
} from './words.js';

const saidTo = ({ model }: Played['live']): unknown => model.messages.map(({ content }) => content);

/** The thread's events as a reviewer would be shown them. */
const asReviewer = async ({ threadId, token }: Played) => {
  const reading = stand().attach({ threadId, token }, '?surface=reviewer');
  await reading.until(() => reading.text.includes('id: '));
  expect(await reading.leave()).toBeUndefined();
  return reading;
};

describe('F. a surface', () => {
  caseOf(63, 'is shown an item whole or not at all', async () => {
    const played = await play((run) => [
      RS(run),
      step('secret'),
      step('check'),
      sub('s1'),
      open('m', by('s1')),
      say('m', 'inside', by('s1')),
      close('m', by('s1')),
      subEnd('s1'),
      ...call('c', 'pay', '{"to":"X"}'),
      stepEnd('secret'),
      stepEnd('check'),
      RF(run),
    ]);
    await expectPass(played);
    for (const word of ['secret', 'SUBAGENT', '"pay"', '"c"', '"s1"'])
      expect(played.customer.text).not.toContain(word);
    expect(played.customer.types).toEqual(expect.arrayContaining(['STEP_STARTED', 'STEP_FINISHED']));
    expect(played.customer.text).toContain('Checking');
    await expectJoined(played);
  });

  caseOf(64, 'that is shown no subagents is shown no child of one either', async () => {
    const played = await play((run) => [
      RS(run),
      sub('s1'),
      sub('s2', { parentSubagentRunId: 's1' }),
      delta({ op: 'add', path: '/shown', value: 1 }),
      { ...delta({ op: 'replace', path: '/shown', value: 2 }), ...by('s2') },
      subEnd('s1'),
      sub('s3', { parentSubagentRunId: 's1' }),
      subEnd('s3'),
      subEnd('s2'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.customer.text).not.toMatch(/s[123]"/u);
    expect(played.customer.model.state).toEqual({ shown: 2 });
    const reviewer = await asReviewer(played);
    expect(reviewer.types.filter((type) => type === 'SUBAGENT_STARTED')).toHaveLength(3);
  });

  caseOf(65, 'is not told of a hidden call by anything around it', async () => {
    const hidden = {
      id: 'c-hush',
      type: 'function',
      function: { name: 'pay', arguments: '{"iban":"XX-hush"}' },
    };
    const played = await play((run) => [
      RS(run, {
        input: {
          ...run,
          messages: [{ id: 'x', role: 'tool', toolCallId: 'c-hush', content: 'hushed' }],
          tools: [],
          context: [],
        },
      }),
      open('m', { metadata: { call: 'c-hush' } }),
      callOpen('c-hush', 'pay', { parentMessageId: 'm', rawEvent: { iban: 'XX-hush' } }),
      callArgs('c-hush', '{"iban":"XX-hush"}'),
      callEnd('c-hush'),
      close('m'),
      result('c-hush', 'hushed'),
      e('RAW', { event: { iban: 'XX-hush' } }),
      restate(
        { id: 'm', role: 'assistant', content: 'well', toolCalls: [hidden] },
        { id: 'c-hush-result', role: 'tool', toolCallId: 'c-hush', content: 'hushed' },
      ),
      asks(run, { id: 'i', reason: 'tool_call', toolCallId: 'c-hush', message: 'pay XX-hush?' }),
    ]);
    await expectLegal(played);
    expect(played.record.refused).toEqual([]);
    const later = stand().attach({ threadId: played.threadId, token: await stand().token(played.owner) });
    await later.until(() => later.text.includes('id: '));
    await later.leave();
    for (const bytes of [played.customer.text, later.text]) expect(bytes).not.toMatch(/hush|iban|"pay"/u);
    expect(saidTo(played.customer)).toEqual(['well']);
  });

  caseOf(66, 'gets chunks written out, so that hiding one event breaks none', async () => {
    const played = await play((run) => [
      RS(run),
      chunk({ messageId: 'm', role: 'assistant', delta: 'a' }),
      custom('hidden'),
      chunk({ messageId: 'm', role: 'user', delta: 'b' }),
      RF(run),
    ]);
    await expectLegal(played);
    expect(played.record.refused).toEqual([]);
    expect(played.customer.text).not.toContain('hidden');
    expect([saidTo(played.live), saidTo(played.customer)]).toEqual([['ab'], ['ab']]);
  });

  caseOf(67, 'has the part of the state that it may, whatever a patch leans on', async () => {
    const played = await play((run) => [
      RS(run),
      state({ shown: { n: 1 }, hidden: { key: 'k', gift: 'g' } }),
      delta({ op: 'test', path: '/hidden/key', value: 'k' }, { op: 'replace', path: '/shown/n', value: 2 }),
      delta({ op: 'test', path: '/hidden/key', value: '?' }, { op: 'replace', path: '/shown/n', value: 3 }),
      delta({ op: 'move', from: '/hidden/gift', path: '/shown/gift' }),
      delta({ op: 'copy', from: '/shown/n', path: '/hidden/n' }),
      delta({ op: 'move', from: '/shown/n', path: '/hidden/m' }),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.customer.model.state).toEqual({ shown: { gift: 'g' } });
    expect(played.customer.text).not.toMatch(/hidden|"k"/u);
    await expectJoined(played);
  });

  caseOf(68, 'loses nothing at whatever shown event its reader returns', async () => {
    const played = await play((run) => [
      RS(run),
      ...text('a', 'one', 'two'),
      step('secret'),
      ...call('c', 'pay', '{}'),
      custom('CARD', 1),
      stepEnd('secret'),
      ...text('b', 'three'),
      custom('hidden', 2),
      RF(run),
    ]);
    await expectPass(played);
    const { threadId, owner, customer } = played;
    const token = await stand().token(owner);
    const positions = [...customer.text.matchAll(/^id: (.+)$/gmu)].map(([, id]) => id ?? '');
    expect(positions.length).toBe(customer.sent.length);
    for (const [index, position] of positions.entries()) {
      const rest = customer.sentTexts.slice(index + 1);
      const again = stand().attach({ threadId, token, lastEventId: position });
      await again.opened;
      await again.until(() => again.sentTexts.length >= rest.length);
      await again.leave();
      expect(again.sentTexts).toEqual(rest);
    }
  });

  caseOf(69, 'of a customer is told that a run waits, not for what', async () => {
    const played = await play((run) => [
      RS(run),
      ...call('c', 'lookUp', '{"city":"Bern"}'),
      asks(run, {
        id: 'i-1',
        message: 'Is he rich?',
        metadata: { risk: 'high' },
        responseSchema: { type: 'object', title: 'riskForm' },
      }),
    ]);
    await expectPass(played);
    expect(played.customer.model.pending).toMatchObject([{ reason: 'hub:under_review' }]);
    expect(played.customer.text).not.toMatch(/rich|risk|i-1/u);
    expect(played.customer.types.at(-1)).toBe('RUN_FINISHED');
  });

  caseOf(70, 'may stay open over an approval: the resumed run follows and nothing is pending', async () => {
    const { threadId, owner, runId } = await newThread();
    stand().agent.will(
      threadId,
      frames([RS({ threadId, runId }), asks({ threadId, runId }, { id: 'i' })]),
      (run) => frames([RS(names(run)), ...text('m', 'thank you'), RF(names(run))]),
    );
    const live = stand().run({ threadId, runId, token: await stand().token(owner) }, '?hold=60');
    await live.until(() => live.sent.length === 2);
    expect((await decideOn(threadId, { verb: 'approve' })).status).toBe(200);
    expect(await live.ended).toBeUndefined();
    expect(live.types.filter((type) => type.startsWith('RUN_'))).toEqual([
      'RUN_STARTED',
      'RUN_FINISHED',
      'RUN_STARTED',
      'RUN_FINISHED',
    ]);
    expect(live.model.pending).toEqual([]);
  });
});
