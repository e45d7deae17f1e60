/** Every bridge, and one that is not of the product, under the one contract. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { verifies } from '../../../test/spec/verifies.js';
import { mailTerms } from '../test/benches/mail.js';
import { slackTerms } from '../test/benches/slack.js';
import { teamsTerms } from '../test/benches/teams.js';
import { webhookTerms } from '../test/benches/webhook.js';
import { workflowTerms } from '../test/benches/workflow.js';
import { FakePager } from '../test/pager/fake-pager.js';
import { PAGER, PagerBridge, pagerKind, pagerTerms } from '../test/pager/pager.js';
import { decided, Questions, taskOf, viewOf } from '../test/views.js';
import { RedisPostingStore } from './adapters/redis-posting-store.js';
import { bridgeContract } from './contract.js';
import { compileBridges, type BridgesReading } from './core/bridges.js';
import { KINDS } from './core/kinds.js';
import { People } from './core/people.js';
import { Notifier } from './shell/notifier.js';

bridgeContract('Slack', slackTerms);
bridgeContract('Teams', teamsTerms);
bridgeContract('a workflow', workflowTerms);
bridgeContract('an endpoint', webhookTerms);
bridgeContract('a mailbox', mailTerms);
bridgeContract('a pager', pagerTerms);

describe('a further kind', () => {
  const WITH_PAGER = { ...KINDS, pager: pagerKind };
  const fileOf = (address: string, id: string): BridgesReading =>
    compileBridges(
      { destinations: [{ id, kind: 'pager', address }], routes: [{ to: [id] }] },
      {},
      WITH_PAGER,
    );
  let redis: Redis;
  let pager: FakePager;
  beforeAll(async () => {
    pager = await FakePager.start(1_000);
    redis = await connectRedis(process.env['REDIS_URL']!, 'commands', {
      log: createLog({ level: 'silent' }),
    });
  });
  afterAll(async () => {
    await closeRedis(redis);
    await pager.stop();
  });

  verifies('BRG-123', 'has its own places in the file, judged as it says, where it is listed', () => {
    expect(fileOf('4711', 'night').ok).toBe(true);
    expect(fileOf('#x', 'night')).toMatchObject({
      problems: [{ message: 'must be the four digits of a pager', path: ['destinations', 0, 'address'] }],
    });
    const unlisted = compileBridges({ destinations: [{ id: 'a', kind: 'pager', address: '4711' }] }, {});
    expect(unlisted).toMatchObject({
      problems: [{ message: 'kind must be one of slack, teams, webhook, mail' }],
    });
  });

  verifies('BRG-123', 'is kept in step by the same spine, from the first card to the last', async () => {
    const id = `pager-${randomUUID()}`;
    const read = fileOf('4711', id);
    if (!read.ok) throw new Error('The file is wrong.');
    const questions = new Questions();
    const notifier = new Notifier({
      ...{ store: new RedisPostingStore(redis), tasks: questions, bridges: read.value },
      ...{ people: new People([]), speak: new Map([[PAGER, new PagerBridge(pager.url)]]), unmet: new Map() },
      knocks: { work: () => Promise.resolve() },
      ...{ linkTo: (taskId) => taskId, chance: () => 0, worker: randomUUID(), report: () => undefined },
      sleep: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }),
    });
    const view = viewOf(
      `${randomUUID().replaceAll('-', '').slice(0, 22)}.${'b'.repeat(16)}.${'c'.repeat(16)}`,
    );
    const shown = async (task: typeof view): Promise<readonly string[]> => {
      questions.put(taskOf(task));
      await notifier.heard(view.batch.batchId);
      await notifier.work(id);
      return pager.at('4711');
    };
    expect(await shown(view)).toEqual([expect.stringMatching(/^waits .* transfer$/u)]);
    expect(await shown(decided(view))).toEqual([expect.stringMatching(/^approved .* transfer$/u)]);
  });
});
