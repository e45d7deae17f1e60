/** What is redacted, and who is shown it, through Redis. */
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, olga, person, rita, stranger, sven, transferOf } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import { MAX_REVEALS } from '../core/reveal.js';

const DATABASE = ownDatabase();
const asked = { pointer: '/taxId', reason: 'The bank asks.' };

describe('a redacted value of a proposal', () => {
  let counter: Counter;
  let run: OpenedRun;
  beforeAll(async () => {
    counter = await Counter.start(DATABASE);
  });
  beforeEach(async () => {
    run = await counter.open(transferOf(500));
  });
  afterAll(() => counter.close());

  const revealTo = (
    actor = rita,
    more: Partial<typeof asked & { threadId: string; taskId: string }> = {},
  ) => {
    const { threadId, taskId = run.taskIds[0] ?? '', ...rest } = { threadId: run.threadId, ...more };
    return counter.approvals.reveal(actor, taskId, { threadId, ...asked, ...rest });
  };
  const task = async (actor = rita) => {
    const got = await counter.approvals.get(actor, run.taskIds[0] ?? '');
    if (!got.ok) throw new Error(got.refusal.code);
    return got.value;
  };
  const linesOf = async () => (await task()).history?.filter(({ action }) => action === 'reveal') ?? [];

  verifies(
    'APR-33',
    'is shown to candidates and operators, and the history says who, where and why',
    async () => {
      const before = await task();
      for (const actor of [rita, sven, olga])
        expect(await revealTo(actor)).toEqual({ ok: true, value: '12-34' });
      const { rev, history } = await task();
      expect(rev).toBe(before.rev);
      expect(await linesOf()).toEqual(
        ['rita', 'sven', 'olga'].map((by) => ({
          ...{ at: expect.any(Number), by, action: 'reveal' },
          ...{ pointer: '/taxId', text: 'The bank asks.' },
        })),
      );
      expect(JSON.stringify(history)).not.toContain('12-34');
    },
  );

  verifies('APR-33', 'is shown to nobody else, and nothing is written', async () => {
    const nobody = [cora, carl, stranger, person('carl', ['reviewer'], ['advisors'])];
    for (const actor of nobody) expect((await revealTo(actor)).ok).toBe(false);
    expect(await revealTo(rita, { threadId: 'other' })).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    expect(await revealTo(rita, { taskId: 'no.task' })).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    expect(await revealTo(rita, { pointer: '/none' })).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    expect(await revealTo(rita, { pointer: '/amount' })).toMatchObject({
      refusal: { code: 'INVALID_INPUT' },
    });
    expect(await linesOf()).toEqual([]);
  });

  verifies('APR-33', 'is shown so often that the history keeps room', async () => {
    for (let nth = 0; nth < MAX_REVEALS; nth += 1) expect((await revealTo()).ok).toBe(true);
    expect(await revealTo()).toMatchObject({ refusal: { details: { limit: 'MAX_REVEALS' } } });
  });

  verifies('APR-33', 'of a customer’s question is shown to nobody', async () => {
    run = await counter.open(
      transferOf(1, { interrupts: [{ id: 'i1', reason: 'input_required', toolCallId: 'c1' }] }),
    );
    expect(await revealTo(olga)).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    expect((await task(olga)).may).not.toContain('reveal');
    expect((await task(carl)).history?.some(({ action }) => action === 'reveal')).toBe(false);
  });

  verifies('APR-34', 'is offered where there is one', async () => {
    expect((await task()).may).toContain('reveal');
    expect((await task(olga)).may).toContain('reveal');
    expect((await task(person('carl', ['reviewer'], ['advisors']))).mayNot).toMatchObject({
      reveal: 'requester',
    });
    run = await counter.open(
      transferOf(1, { calls: { c1: { name: 'transfer', argsText: '{"amount":1}' } } }),
    );
    expect((await task()).may).not.toContain('reveal');
  });
});
