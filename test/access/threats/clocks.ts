/** Hubs whose clocks go wrong. */
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { offBy } from '../../stand/moved-clock.js';
import { askHttp } from '../ask.js';
import type { AccessStage } from '../stage.js';
import { tries } from './doors.js';

const TEN_MINUTES_MS = 600_000;

/** Read off the end of a token that it hands out. */
const clockOf = async (url: string): Promise<number> => {
  const body = { sub: 'x', roles: ['customer'], ttlSeconds: 60 };
  const { said } = await askHttp(url, { path: '/v1/dev/token', body });
  const { text } = JSON.parse(said) as { text: string };
  return (JSON.parse(text) as { expiresAt: number }).expiresAt - 60_000;
};

export const clocks = (on: () => AccessStage): void => {
  describe('a clock that is wrong', () => {
    for (const ms of [TEN_MINUTES_MS, -TEN_MINUTES_MS])
      tries(
        `threat 19: by ${ms / 60_000} minutes decides nothing: who holds a task, for how long, and until when`,
        async () => {
          const stage = on();
          const hub = await stage.product.anotherHub(offBy(ms));
          try {
            expect(Math.abs((await clockOf(hub.url)) - Date.now() - ms)).toBeLessThan(60_000);
            const asked = await stage.make('pay');
            const say = (url: string, command: string, task: string, more: object = {}) =>
              askHttp(
                url,
                { path: `/v1/approvals/${task}/${command}`, body: { rev: 1, ...more } },
                stage.tokens.candidate,
              );
            const claimed = await say(hub.url, 'claim', asked.task);
            expect(claimed.code).toBe('ok');
            const { claim } = await stage.task(asked.task);
            const left = claim!.until - Date.now();
            expect(left).toBeGreaterThan(0);
            expect(left).toBeLessThanOrEqual(5 * 60_000);
            expect((await say(stage.product.url, 'heartbeat', asked.task)).code).toBe('ok');
            // One that ends soon, and not before; one that has ended, and is over everywhere.
            const open = await stage.makeUntil(Date.now() + 5 * 60_000);
            const over = await stage.makeUntil(Date.now() + 1_500);
            const decide = ({ hash: proposalHash }: { hash: string }) => ({ verb: 'approve', proposalHash });
            expect((await say(hub.url, 'decide', open.task, decide(open))).code).toBe('ok');
            await until(() => Date.now() > over.expiresAt + 100);
            expect((await say(hub.url, 'decide', over.task, decide(over))).code).toBe('EXPIRED');
            const late: TaskView = await stage.task(over.task);
            expect(late).toMatchObject({ state: expect.stringMatching(/expired|closed/u) as unknown });
          } finally {
            await hub.stop();
          }
        },
      );
  });
};
