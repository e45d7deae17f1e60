/** Proves what becomes of a member of a due set: every state it can be in, by everything that can be asked of it. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { verifies } from '../../../../test/spec/verifies.js';
import { DueSet } from './due-set.js';
import { createLog } from './logger.js';
import { closeRedis, connectRedis } from './redis-connections.js';

/** Far longer than a row of the tables takes, so that no machine is too slow for it. Milliseconds. */
const TAKEN_MS = 600_000;
const MEMBER = 'm';

let redis: Redis;
beforeAll(async () => {
  redis = await connectRedis(process.env['REDIS_URL'] as string, 'commands', {
    log: createLog({ level: 'silent' }),
  });
});
afterAll(() => closeRedis(redis));

/** Against the moment a row begins; `soon` is before whoever takes at that moment is out of time, `late` is after. */
const TIMES = { past: -1_000, soon: 300_000, late: 3_600_000 } as const;
type Time = keyof typeof TIMES;

/** `+` it is looked at once more whatever its taker says, `*` somebody has it. */
const FRACTIONS: Readonly<Record<number, string>> = { 0: '', 0.25: '+', 0.5: '*' };

class Row {
  readonly key = `due-set-spec:${randomUUID()}`;
  private readonly set: DueSet;
  private mark = '0';

  private constructor(
    ahead: boolean,
    private readonly began: number,
  ) {
    this.set = new DueSet(redis, { key: this.key, takenMs: TAKEN_MS, ahead });
  }

  static async begin(ahead: boolean): Promise<Row> {
    const [seconds] = await redis.time();
    return new Row(ahead, Number(seconds) * 1_000);
  }

  async do(steps: string): Promise<this> {
    for (const step of steps.split(' ').filter(Boolean)) await this.one(step);
    return this;
  }

  private async one(step: string): Promise<void> {
    const [verb, when] = step.split(':');
    const at = when === undefined || when === 'never' ? undefined : this.began + TIMES[when as Time];
    switch (verb) {
      case 'take':
        return this.take();
      case 'watch':
        return this.set.watch(MEMBER, at as number);
      case 'settle':
        return this.set.settle({ member: MEMBER, mark: this.mark }, at);
      case 'wait':
        return this.wait();
      default:
        this.mark = '0';
    }
  }

  /** Its time comes: a row cannot wait for that. */
  private async wait(): Promise<void> {
    const score = Number(await redis.zscore(this.key, MEMBER));
    this.mark = String(this.began + TIMES.past + (score % 1));
    await redis.zadd(this.key, this.mark, MEMBER);
  }

  private async take(): Promise<void> {
    const [taken] = await this.set.takeDue(1);
    if (taken) this.mark = taken.mark;
  }

  async state(): Promise<string> {
    const score = await redis.zscore(this.key, MEMBER);
    await redis.del(this.key);
    if (score === null) return 'gone';
    const [whole, fraction] = [Math.floor(Number(score)), Number(score) % 1];
    const when = Object.entries(TIMES).find(([, at]) => this.began + at === whole)?.[0] ?? 'taken';
    return `${when}${FRACTIONS[fraction] ?? '?'}`;
  }
}

const CALLS = [
  'watch:past',
  'watch:soon',
  'watch:late',
  'take',
  'settle:never',
  'settle:soon',
  'settle:late',
];
/** How a member comes into each state, and what every call makes of it, in the order of the calls. */
type Table = readonly (readonly [state: string, steps: string, after: string])[];

const AHEAD: Table = [
  ['gone', '', 'past+ soon+ late gone gone gone gone'],
  ['late', 'watch:late', 'past+ soon+ late late late soon+ late'],
  ['soon', 'watch:late wait take settle:soon', 'past+ soon+ soon+ soon soon soon soon'],
  ['soon+', 'watch:soon', 'past+ soon+ soon+ soon+ soon+ soon+ soon+'],
  ['past', 'watch:late wait other', 'past+ past+ past+ taken* past past past'],
  ['past+', 'watch:past', 'past+ past+ past+ taken past+ past+ past+'],
  ['taken*', 'watch:late wait take', 'past+ soon+ taken+ taken* gone soon late'],
  ['taken*', 'watch:late wait take other', 'past+ soon+ taken+ taken* taken* taken* taken*'],
  ['taken', 'watch:past take', 'past+ soon+ taken+ taken taken soon+ taken'],
  ['taken+', 'watch:late wait take watch:late', 'past+ soon+ taken+ taken+ taken+ soon+ taken+'],
  ['past*', 'watch:late wait take wait', 'past+ past+ past+ taken* gone soon late'],
];

const WRITTEN: Table = [
  ['gone', '', 'past soon late gone gone gone gone'],
  ['late', 'watch:late', 'past soon late late late soon late'],
  ['soon', 'watch:soon', 'past soon soon soon soon soon soon'],
  ['past', 'watch:past', 'past past past taken* past past past'],
  ['taken*', 'watch:past take', 'past soon taken taken* gone soon late'],
  ['taken*', 'watch:past take other', 'past soon taken taken* taken* taken* taken*'],
  ['taken', 'watch:past take watch:late', 'past soon taken taken taken soon taken'],
  ['past*', 'watch:past take wait', 'past past past taken* gone soon late'],
];

for (const [title, ahead, table] of [
  ['ahead of what is to be looked at', true, AHEAD],
  ['after what is to be looked at is written', false, WRITTEN],
] as const)
  describe(`what is watched ${title}`, () => {
    for (const [state, steps, after] of table)
      verifies('APR-88', `${state} by "${steps}": nothing asked for is lost`, async () => {
        expect(await (await (await Row.begin(ahead)).do(steps)).state()).toBe(state);
        const seen = CALLS.map(async (call) => {
          const row = await Row.begin(ahead);
          await row.do(steps);
          return (await row.do(call)).state();
        });
        expect((await Promise.all(seen)).join(' ')).toBe(after);
      });
  });
