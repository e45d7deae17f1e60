/** Keeps the chain of each tenant in Redis, and reads what waits to be sealed. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  asStoreAway,
  looseTrail,
  pendingTrails,
  storeCall,
  threadTrail,
  timeToMs,
  TRAIL_GRACE_MS,
  TRAIL_TENANTS,
} from '@triptych/platform';
import type { ChainableCommander, Redis } from 'ioredis';
import { KEY_BYTES, type SubjectKey } from '../core/box.js';
import { START } from '../core/chain.js';
import { checkpointIn, checkpointLine } from '../core/checkpoint.js';
import type { Waiting } from '../core/sealed-record.js';
import type { Found, Look, Sealed, Sealing, Standing, TrailStore, Vouching } from '../core/trail-store.js';
import { auditKeys } from './audit-keys.js';
import { afterId, byId, lastIds } from './stream-ids.js';

/** A writer that does not come back for so long is gone: several rounds, and a restart. */
const LEAD_MS = 5_000;
/** Announcements older than this were looked at by the rounds before; milliseconds. */
const RECENT_MS = 10_000;
/** Threads looked at in one step, and records taken from one while others wait too. */
const SOURCES = 200;
const PER_SOURCE = 50;

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

type Entry = [id: string, fields: string[]];

/** A thread that said it is about to have a record, and when, as the store writes it. */
interface Announced {
  readonly thread: string;
  readonly score: string;
}

/** A list with its length before it, as the scripts take them. */
const counted = <T>(items: readonly T[], words: (item: T) => readonly string[]): string[] => [
  String(items.length),
  ...items.flatMap(words),
];

export class RedisTrailStore implements TrailStore {
  private readonly scripts: WithScripts;

  constructor(private readonly redis: Redis) {
    for (const [name, [file, numberOfKeys]] of Object.entries(SCRIPTS)) {
      const lua = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
      redis.defineCommand(name, { numberOfKeys, lua });
    }
    this.scripts = redis as unknown as WithScripts;
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
    const waiting: Waiting[] = [];
    // A thread that is announced anew between two pages stands on both.
    const seen = new Set<string>();
    for await (const threads of this.threads(tenant, recent ? standing.now - RECENT_MS : 0)) {
      const all = [looseTrail(tenant), ...threads.map(({ thread }) => threadTrail(thread))];
      const sources = all.filter((source) => !seen.has(source));
      for (const source of sources) seen.add(source);
      if (sources.length === 0) continue;
      waiting.push(...(await this.waitingIn(tenant, sources, limit)));
      if (waiting.length >= limit) break;
    }
    return { standing, waiting: waiting.toSorted((a, b) => byId(a.id, b.id)).slice(0, limit) };
  }

  async seal(tenant: string, writer: string, { after, links, waiting, keys }: Sealing): Promise<Sealed> {
    const { chain, head, marks, lead, keys: secrets } = auditKeys(tenant);
    const sealed = lastIds(waiting);
    const outcome = await this.run(
      'triptychSeal',
      ...[chain, head, marks, lead, secrets, writer, String(LEAD_MS)],
      ...(after.seq === 0 ? ['', ''] : [String(after.seq), after.hash]),
      ...counted(keys, (key) => [key]),
      ...counted([...sealed], (mark) => mark),
      ...counted(links, ({ seq, text, hash }) => [String(seq), text, hash]),
    );
    if (outcome === 1) await this.trim(sealed);
    return outcome === 1 ? 'sealed' : outcome === 0 ? 'moved' : 'fenced';
  }

  async tidy(tenant: string): Promise<void> {
    const { now } = await this.standing(tenant);
    for await (const threads of this.threads(tenant, 0)) {
      const sources = [looseTrail(tenant), ...threads.map(({ thread }) => threadTrail(thread))];
      const marks = await this.marksOf(tenant, sources);
      await this.trim(marks);
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
    const [time, [seq, hash, line]] = (await this.all(step)) as [
      string[],
      [string | null, string | null, string | null],
    ];
    const last = checkpointIn(line ?? '');
    const reached = seq === null || hash === null ? START : { seq: Number(seq), hash };
    return { ...reached, ...(last ? { last } : {}), now: timeToMs(time) };
  }

  /** At least one page, so that what belongs to no thread is found where no thread waits. */
  private async *threads(tenant: string, since: number): AsyncIterable<readonly Announced[]> {
    const key = pendingTrails(tenant);
    for (let at = 0; ; at += SOURCES) {
      const page = ['WITHSCORES', 'LIMIT', at, SOURCES] as const;
      const flat = await storeCall(this.redis.zrangebyscore(key, since, '+inf', ...page));
      yield flat.flatMap((thread, nth) => (nth % 2 === 0 ? [{ thread, score: flat[nth + 1] ?? '' }] : []));
      if (flat.length < 2 * SOURCES) return;
    }
  }

  private async marksOf(tenant: string, sources: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const marks = await storeCall(this.redis.hmget(auditKeys(tenant).marks, ...sources));
    return new Map(sources.flatMap((source, nth) => (marks[nth] ? [[source, marks[nth]] as const] : [])));
  }

  private async waitingIn(tenant: string, sources: readonly string[], limit: number): Promise<Waiting[]> {
    const marks = await this.marksOf(tenant, sources);
    const count = Math.max(PER_SOURCE, Math.floor(limit / sources.length));
    const step = this.redis.pipeline();
    for (const source of sources) step.xrange(source, afterId(marks.get(source)), '+', 'COUNT', count);
    const found = (await this.all(step)) as Entry[][];
    return found.flatMap((entries, nth) =>
      entries.map(([id, fields]) => ({ source: sources[nth] ?? '', id, text: fields[1] ?? '' })),
    );
  }

  private async trim(sealed: ReadonlyMap<string, string>): Promise<void> {
    const step = this.redis.pipeline();
    for (const [source, id] of sealed) step.xtrim(source, 'MINID', afterId(id));
    if (sealed.size > 0) await this.all(step);
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

  private async all(step: ChainableCommander): Promise<unknown[]> {
    const replies = (await storeCall(step.exec())) ?? [];
    return replies.map(([error, value]) => {
      if (error) throw asStoreAway(error);
      return value;
    });
  }
}
