/** Several built hubs and workers on one Redis of their own, each on a line that can be made to fail. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@triptych/testkit';
import { startOwnRedis, type Memory, type OwnRedis } from '../redis/own-redis.js';
import type { Around } from './built-process.js';
import { Hub } from './hub.js';
import { newIssuer, type Issuer } from './issuer.js';
import { Worker } from './worker.js';

/** A test's own clients are many, and none of them is a stranger. */
const WIDE_LIMITS = {
  MAX_SOCKETS_PER_SUBJECT: '1000',
  MAX_STREAMS_PER_SUBJECT: '1000',
  RATE_RUNS: '100000',
  RATE_FRAMES: '10000',
};

export interface HousePlan {
  readonly hubs: number;
  readonly workers: number;
  readonly memory: Memory;
  /** The two files, as text. */
  readonly agents: string;
  readonly policy: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is particular to one hub or worker, by its number. */
  readonly envOf?: (nth: number) => Readonly<Record<string, string>>;
  readonly redisEnv?: Readonly<Record<string, string>>;
}

export class House {
  readonly hubs: Hub[] = [];
  readonly workers: Worker[] = [];

  private constructor(
    readonly redis: OwnRedis,
    readonly issuer: Issuer,
    private readonly dir: string,
  ) {}

  static async start(plan: HousePlan): Promise<House> {
    const dir = mkdtempSync(join(tmpdir(), 'triptych-house-'));
    const redis = await startOwnRedis(plan.memory, plan.redisEnv);
    const house = new House(redis, await newIssuer(), dir);
    try {
      await house.open(plan);
      return house;
    } catch (error) {
      await house.stop();
      throw error;
    }
  }

  /** Whichever of them a test may take, when it does not matter which. */
  get hub(): Hub {
    const [hub] = this.hubs;
    if (!hub) throw new Error('This house has no hub.');
    return hub;
  }

  async ready(): Promise<void> {
    await Promise.all([...this.hubs, ...this.workers].map((each) => each.ready()));
  }

  /** Brings another policy into force, in every process. */
  async goBy(policy: string): Promise<void> {
    const all = [...this.hubs, ...this.workers].map(({ process }) => process);
    const times = (): readonly number[] => all.map((process) => process.timesSaid('policy.changed'));
    const before = times();
    writeFileSync(this.policyFile, policy);
    await until(() => times().every((now, nth) => now > (before[nth] ?? 0)));
  }

  /** What all of them said last, for who wonders why. */
  lastWords(): string {
    return [...this.hubs, ...this.workers]
      .map(({ name, process }) => `${name}:\n${process.lastWords()}`)
      .join('\n');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.hubs, ...this.workers].map((each) => each.stop()));
    await this.redis.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  private get policyFile(): string {
    return join(this.dir, 'policy.yaml');
  }

  private async open(plan: HousePlan): Promise<void> {
    const files = { AGENTS_FILE: join(this.dir, 'agents.yaml'), POLICY_FILE: this.policyFile };
    writeFileSync(files.AGENTS_FILE, plan.agents);
    writeFileSync(files.POLICY_FILE, plan.policy);
    const env = {
      ...WIDE_LIMITS,
      ...this.issuer.env,
      ...files,
      LOG_LEVEL: 'info',
      DATA_DIR: this.dir,
      ...plan.env,
    };
    const around = (nth: number): Around => ({
      redisUrl: this.redis.url,
      dir: this.dir,
      env: { ...env, ...plan.envOf?.(nth) },
    });
    for (let nth = 1; nth <= plan.workers; nth += 1)
      this.workers.push(await Worker.start(`worker-${nth}`, around(nth)));
    for (let nth = 1; nth <= plan.hubs; nth += 1) this.hubs.push(await Hub.start(`hub-${nth}`, around(nth)));
    await this.ready();
  }
}
