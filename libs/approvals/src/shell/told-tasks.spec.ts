/** What a change is told as: to each what they would be shown if they asked. */
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, fresh, olga, rita, rolf, stranger, sven, transferOf } from '../../test/bank.js';
import { Counter } from '../../test/counter.js';

const DATABASE = ownDatabase();

/** Priority grows by itself between two looks. */
const timeless = (view: unknown): unknown =>
  JSON.parse(JSON.stringify(view, (key, value: unknown) => (key === 'priority' ? undefined : value)));

describe('tasks that are told', () => {
  let counter: Counter;
  beforeAll(async () => {
    counter = await Counter.start(DATABASE);
  });
  afterAll(() => counter.close());

  const people = [carl, cora, olga, rita, rolf, stranger, sven, { ...rita, groups: [] }];

  verifies('HUB-97', 'are to each what they would see, and the same to all who see them alike', async () => {
    const { taskIds } = await counter.open(transferOf(2_000, { threadId: fresh('thread') }));
    const { taskIds: questions } = await counter.open({
      interrupts: [{ id: 'q', reason: 'input_required' }],
    });
    const [taskId = '', question = ''] = [...taskIds, ...questions];
    for (const step of ['open', 'claimed'] as const) {
      if (step === 'claimed') await counter.approvals.claim(rita, taskId);
      const viewFor = await counter.approvals.read([taskId, question]);
      for (const id of [taskId, question])
        for (const actor of people)
          expect(timeless(viewFor(actor, id))).toEqual(timeless(await counter.approvals.get(actor, id)));
      const [hers, his] = [viewFor(rita, taskId), viewFor(rolf, taskId)];
      expect(hers.ok && his.ok && hers.value === his.value).toBe(step === 'open');
    }
  });
});
