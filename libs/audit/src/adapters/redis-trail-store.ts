/** Keeps the chain of each tenant in Redis, and reads what waits to be sealed. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  pendingTrails,
  storeCall,
  threadTrail,
  timeToMs,
  TRAIL_GRACE_MS,
  TRAIL_TENANTS,
} from '@triptych/platform';
import type { Redis } from 'ioredis';
import { KEY_BYTES, type SubjectKey } from '../core/box.js';
import { START } from '../core/chain.js';
import { checkpointIn, checkpointLine } from '../core/checkpoint.js';
import type { Found, Look, Sealed, Sealing, Standing, TrailStore, Vouching } from '../core/trail-store.js';
import { auditKeys } from './audit-keys.js';
import { byId, lastIds } from './stream-ids.js';
import { answersOf, sourcesOf, WaitingTrails, type Announced } from './waiting-trails.js';

/** A writer that does not come back for so long is gone: several rounds, and a restart. */
const LEAD_MS = 5_000;
/** Announcements older than this were looked at by the rounds before; milliseconds. */
const RECENT_MS = 10_000;
/** Each script's file, and how many keys it takes. */
const SCRIPTS = {
  triptychLead: ['lead.lua', 1],
  triptychSeal: ['seal.lua', 5],
  triptychVouch: ['vouch.lua', 3],
  triptychQuiet: ['quiet.lua', 1],
  triptychUnmark: ['unmark.lua', 1],
  triptychSubjectKey: ['subject-key.lua', 1],
} as const;
type ScriptName = keyof typeof SCRIPTS;
type WithScripts = Readonly<Record<ScriptName, (...keysAndArgs: string[]) => Promise<unknown>>>;

/** A list with its length before it, as the scripts take them. */
const counted = <T>(items: readonly T[], words: (item: T) => readonly string[]): string[] => [
  String(items.length),
  ...items.flatMap(words),
];

export class RedisTrailStore implements TrailStore {
  private readonly scripts: WithScripts;
  private readonly streams: WaitingTrails;

  constructor(private readonly redis: Redis) {
    for (const [name, [file, numberOfKeys]] of Object.entries(SCRIPTS)) {
      const lua = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
      redis.defineCommand(name, { numberOfKeys, lua });
    }
    this.scripts = redis as unknown as WithScripts;
    this.streams = new WaitingTrails(redis);
  }

  async *tenants(): AsyncIterable<string> {
    for (let cursor = '0', first = true; first || cursor !== '0'; first = false) {
      const [next, names] = await storeCall(this.redis.sscan(TRAIL_TENANTS, cursor));
      yield* names;
      cursor = next;
    }
  }

  async lead(tenant: string, writer: string): Promise<boolean> {
    return (await this.run('triptychLead', auditKeys(tenant).lead, writer, String(LEAD_MS))) === 1;
  }

  async find(tenant: string, { limit, recent }: Look): Promise<Found> {
    // The head before the marks: what is sealed in between moves it, and the step that was read in vain fails.
    const standing = await this.standing(tenant);
    const since = recent ? standing.now - RECENT_MS : 0;
    const { waiting, foreign } = await this.streams.find(tenant, { since, limit });
    await this.streams.tellOwners(foreign, standing.now);
    return { standing, waiting, foreign };
  }

  async seal(
    tenant: string,
    writer: string,
    { after, links, waiting, passed, keys }: Sealing,
  ): Promise<Sealed> {
    const { chain, head, marks, lead, keys: secrets } = auditKeys(tenant);
    const looked = lastIds([...waiting, ...passed].toSorted((a, b) => byId(a.id, b.id)));
    const outcome = await this.run(
      'triptychSeal',
      ...[chain, head, marks, lead, secrets, writer, String(LEAD_MS)],
      ...(after.seq === 0 ? ['', ''] : [String(after.seq), after.hash]),
      ...counted(keys, (key) => [key]),
      ...counted([...looked], (mark) => mark),
      ...counted(links, ({ seq, text, hash }) => [String(seq), text, hash]),
    );
    if (outcome === 1) await this.streams.drop(waiting);
    return outcome === 1 ? 'sealed' : outcome === 0 ? 'moved' : 'fenced';
  }

  async tidy(tenant: string): Promise<void> {
    const { now } = await this.standing(tenant);
    for await (const threads of this.streams.threads(tenant, 0)) {
      const marks = await this.streams.marksOf(tenant, sourcesOf(tenant, threads));
      await this.streams.drop(await this.streams.leftBehind(tenant, marks));
      for (const { thread, score } of threads)
        if (Number(score) < now - TRAIL_GRACE_MS)
          await this.forget(tenant, { thread, score, mark: marks.get(threadTrail(thread)) });
    }
  }

  async keysOf(tenant: string, subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>> {
    const { keys } = auditKeys(tenant);
    const found = await Promise.all(
      subjects.map(async (subject) => {
        const offered = randomBytes(KEY_BYTES).toString('base64url');
        const [id, secret] = (await this.run('triptychSubjectKey', keys, subject, randomUUID(), offered)) as [
          string,
          string,
        ];
        return [subject, { id, secret: Buffer.from(secret, 'base64url') }] as const;
      }),
    );
    return new Map(found);
  }

  async vouch(tenant: string, writer: string, { after, next }: Vouching): Promise<boolean> {
    const { head, checkpoints, lead } = auditKeys(tenant);
    const last = after ? checkpointLine(after) : '';
    const step = [writer, last, String(next.n), checkpointLine(next)];
    return (await this.run('triptychVouch', head, checkpoints, lead, ...step)) === 1;
  }

  async checkpoints(tenant: string, from: number, limit: number): Promise<readonly string[]> {
    const { checkpoints } = auditKeys(tenant);
    const entries = await storeCall(this.redis.xrange(checkpoints, `${from}-0`, '+', 'COUNT', limit));
    return entries.map(([, fields]) => fields[1] ?? '');
  }

  private async standing(tenant: string): Promise<Standing> {
    const { head } = auditKeys(tenant);
    const step = this.redis.pipeline().time().hmget(head, 'seq', 'hash', 'c');
    const [time, [seq, hash, line]] = (await answersOf(step)) as [
      string[],
      [string | null, string | null, string | null],
    ];
    const last = checkpointIn(line ?? '');
    const reached = seq === null || hash === null ? START : { seq: Number(seq), hash };
    return { ...reached, ...(last ? { last } : {}), now: timeToMs(time) };
  }

  /** Its mark first: without the mark an empty stream is read from its beginning, which is the same. */
  private async forget(
    tenant: string,
    { thread, score, mark }: Announced & { mark: string | undefined },
  ): Promise<void> {
    const source = threadTrail(thread);
    if ((await storeCall(this.redis.xlen(source))) > 0) return;
    const { marks } = auditKeys(tenant);
    if (mark !== undefined && (await this.run('triptychUnmark', marks, source, mark)) === 0) return;
    await this.run('triptychQuiet', pendingTrails(tenant), thread, score);
  }

  private run(name: ScriptName, ...keysAndArgs: string[]): Promise<unknown> {
    return storeCall(this.scripts[name](...keysAndArgs));
  }
}
