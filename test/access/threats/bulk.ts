/** What goes with many decisions at once that would not go alone. */
import { until } from '@triptych/testkit';
import type { BulkReply } from '@triptych/protocol';
import { trailOf } from '../../journeys/trail-of.js';
import { PEOPLE } from '../people.js';
import type { AccessStage, Things } from '../stage.js';
import { tries } from './doors.js';

interface Item {
  readonly of: Things;
  readonly verb: string;
  readonly more?: object;
  /** How it is to be answered. */
  readonly status: number;
}

const asked = ({ of: { task: taskId, rev, hash: proposalHash }, verb, more }: Item) => ({
  ...{ taskId, rev, proposalHash, verb },
  ...more,
});

export const bulk = (on: () => AccessStage): void => {
  /** Decisions in the trail of a thread, by whom. */
  const recordsOf = async ({ thread }: Things): Promise<readonly string[]> => {
    const verbs = ['task.approve', 'task.reject', 'task.respond', 'task.cancel'];
    const all = await trailOf(on().product, { thread });
    return all.flatMap(({ action, actor }) => (verbs.includes(action) ? [`${action} ${actor.id}`] : []));
  };

  describe('many decisions at once', () => {
    tries(
      'threat 17: with forbidden ones among them are each judged, answered and recorded by itself',
      async () => {
        const stage = on();
        const kinds = ['question', 'pay', 'pay', 'deploy', 'unruled', 'question'] as const;
        const things: Things[] = [];
        for (const kind of kinds) things.push(await stage.make(kind));
        const [first, own, given, others, nobodys, last] = things as [
          Things,
          Things,
          Things,
          Things,
          Things,
          Things,
        ];
        // The owner, who reviews as well: they asked for `own` themselves, and may give `given` up.
        const items: readonly Item[] = [
          { of: first, verb: 'respond', more: { payload: 'blue' }, status: 200 },
          { of: own, verb: 'approve', status: 403 },
          { of: others, verb: 'approve', status: 404 },
          { of: given, verb: 'cancel', status: 200 },
          { of: nobodys, verb: 'respond', more: { payload: 1 }, status: 404 },
          { of: own, verb: 'approve', more: { taskId: `${own.task}x` }, status: 404 },
          { of: last, verb: 'respond', more: { payload: 'red' }, status: 200 },
        ];
        const path = '/v1/approvals/decide';
        const { said } = await stage.ask('twin', { path, body: { items: items.map(asked) } });
        const { results } = JSON.parse((JSON.parse(said) as { text: string }).text) as BulkReply;
        expect(results.map(({ status }) => status)).toEqual(items.map(({ status }) => status));
        expect(results[1]).toMatchObject({ error: { code: 'FORBIDDEN', details: { why: 'requester' } } });
        for (const untouched of [own, others, nobodys])
          expect(await stage.task(untouched.task)).toMatchObject({ state: 'pending', rev: 1 });

        const { sub } = PEOPLE.twin;
        await until(async () => (await recordsOf(last)).length > 0 && (await recordsOf(given)).length > 0);
        for (const [of, records] of [
          [first, [`task.respond ${sub}`]],
          [given, [`task.cancel ${sub}`]],
          [last, [`task.respond ${sub}`]],
          [own, []],
          [others, []],
          [nobodys, []],
        ] as const)
          expect([of.thread, await recordsOf(of)]).toEqual([of.thread, records]);
      },
    );
  });
};
