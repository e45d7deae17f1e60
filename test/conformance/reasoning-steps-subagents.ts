/** Cases 57–62: thoughts, steps, and the subagents that have both. */
import { caseOf, expectJoined, expectPass, expectRefused, play } from './suite.js';
import {
  asks,
  by,
  close,
  next,
  open,
  RF,
  RS,
  say,
  spanEnd,
  spanOpen,
  step,
  stepEnd,
  sub,
  subEnd,
  think,
  thinkEnd,
  thinkOpen,
} from './words.js';

describe('E. thoughts, steps and subagents', () => {
  caseOf(57, 'a span and the thought in it may share an id, and neither opens the other', async () => {
    const played = await play((run) => [
      RS(run),
      spanOpen('q'),
      thinkOpen('q'),
      think('q', 'perhaps'),
      thinkEnd('q'),
      spanEnd('q'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toEqual([{ id: 'q', role: 'reasoning', content: 'perhaps' }]);
    expect(played.customer.text).not.toContain('perhaps');
    await expectJoined(played);
    await expectRefused(await play((run) => [RS(run), spanOpen('q'), think('q', '?')]), {
      rule: 'not-open',
      after: ['RUN_STARTED', 'REASONING_START'],
    });
    await expectRefused(await play((run) => [RS(run), thinkOpen('q', {})]), {
      rule: 'malformed',
      after: ['RUN_STARTED'],
    });
  });

  caseOf(58, 'steps of one name are kept apart by who takes them', async () => {
    const played = await play((run) => [
      RS(run),
      step('check'),
      step('check', by('s1')),
      stepEnd('check', by('s1')),
      stepEnd('check'),
      RF(run),
    ]);
    await expectPass(played);
    await expectRefused(await play((run) => [RS(run), step('check'), stepEnd('check', by('s1'))]), {
      rule: 'wrong-owner',
      after: ['RUN_STARTED', 'STEP_STARTED'],
    });
    await expectRefused(await play((run) => [RS(run), stepEnd('check')]), {
      rule: 'not-open',
      after: ['RUN_STARTED'],
    });
  });

  caseOf(59, 'subagents may speak at once, each in messages of its own', async () => {
    const played = await play((run) => [
      RS(run),
      sub('s1'),
      sub('s2'),
      open('a', by('s1')),
      open('b', by('s2')),
      say('a', 'one', by('s1')),
      say('b', 'two', by('s2')),
      say('a', '!'),
      close('b', by('s2')),
      close('a', by('s1')),
      subEnd('s2'),
      subEnd('s1'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toMatchObject([
      { content: 'one!', ...by('s1') },
      { content: 'two', ...by('s2') },
    ]);
    await expectJoined(played);
    await expectRefused(await play((run) => [RS(run), sub('s1'), open('m'), say('m', 'mine', by('s1'))]), {
      rule: 'wrong-owner',
      after: ['RUN_STARTED', 'SUBAGENT_STARTED', 'TEXT_MESSAGE_START'],
    });
  });

  caseOf(60, 'a subagent is started once in a run, after its parent, and ends only if it was', async () => {
    const once = ['RUN_STARTED', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED'];
    await expectRefused(await play((run) => [RS(run), sub('s1'), subEnd('s1'), sub('s1')]), {
      rule: 'subagent-reused',
      after: once,
    });
    await expectRefused(await play((run) => [RS(run), subEnd('s9')]), {
      rule: 'not-open',
      after: ['RUN_STARTED'],
    });
    await expectRefused(await play((run) => [RS(run), sub('s1', { parentSubagentRunId: 's9' })]), {
      rule: 'unknown-parent',
      after: ['RUN_STARTED'],
    });
    const played = await play((run) => [
      RS(run),
      sub('s1'),
      subEnd('s1'),
      sub('s2', { parentSubagentRunId: 's1' }),
      subEnd('s2'),
      RF(run),
      RS(next(run)),
      sub('s1'),
      subEnd('s1'),
      RF(next(run)),
    ]);
    await expectPass(played);
    await expectJoined(played);
  });

  caseOf(61, 'what is tagged need not have been announced', async () => {
    const played = await play((run) => [
      RS(run),
      open('m', by('ghost')),
      say('m', 'boo', by('ghost')),
      close('m', by('ghost')),
      RF(run),
    ]);
    await expectPass(played);
    await expectJoined(played);
  });

  caseOf(62, 'a subagent may wait for an answer that its run asks for', async () => {
    const suspended = { outcome: { type: 'suspended', interruptIds: ['i'] } };
    const played = await play((run) => [
      RS(run),
      sub('s1'),
      subEnd('s1', suspended),
      asks(run, { id: 'i', ...by('s1') }),
    ]);
    await expectPass(played);
    expect(played.live.model.pending).toMatchObject([{ id: 'i', ...by('s1') }]);
    expect(played.customer.text).not.toContain('"s1"');
    await expectRefused(await play((run) => [RS(run), sub('s1'), subEnd('s1', { outcome: null })]), {
      rule: 'malformed',
      after: ['RUN_STARTED', 'SUBAGENT_STARTED'],
    });
  });
});
