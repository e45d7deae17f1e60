/** Tells the tree of a run as its reader's surface shows it: subagents, child runs, their times, and findings for operators. */
import { Inject, Injectable } from '@nestjs/common';
import { beginView, viewStep } from '@triptych/access';
import { EVENT_LOG, LEDGER, POLICY, type PolicySource, type RedisEventLog } from '@triptych/assembly/nest';
import { REDIS } from '@triptych/platform/nest';
import { isPrintableId, ok, refuse, type Result, type Surface, type ThreadId } from '@triptych/protocol';
import { findingsOf, type ListedFinding, type RunLedger, type RunRecord } from '@triptych/runs';
import type { Redis } from 'ioredis';
import type { SeenThread } from '../threads/thread-access.js';
import { runSummary } from '../threads/thread-views.js';
import { RunTree, type RunBranch, type SubagentBranch } from './run-tree.js';

/** Entries a read. */
const PAGE = 500;
/** A run's first word is its beginning. */
const FIRST_WORDS = 2;
/** As many as a thread keeps, about. */
const FINDINGS = 1_000;

export interface TreeAsked {
  readonly seen: SeenThread;
  readonly record: RunRecord;
  readonly withFindings: boolean;
}

interface Telling {
  readonly thread: ThreadId;
  readonly surface: Surface;
  readonly findings: readonly ListedFinding[] | undefined;
}

@Injectable()
export class RunTrees {
  constructor(
    @Inject(EVENT_LOG) private readonly log: RedisEventLog,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async of({ seen, record, withFindings }: TreeAsked): Promise<Result<unknown>> {
    const tree = await this.grown(seen, record);
    if (tree === 'trimmed') return refuse('EXPIRED');
    const { threadId: thread } = seen.thread;
    const findings = withFindings
      ? (await findingsOf(this.redis, thread, { limit: FINDINGS })).items
      : undefined;
    return ok(await this.toldRun(tree.root, [], { thread, surface: seen.surface, findings }));
  }

  /** Which run it says it was begun for; only operators are told of one that is none of the thread's. */
  async parentOf(
    { thread: { threadId: thread }, surface }: SeenThread,
    { runId, after }: RunRecord,
  ): Promise<string | undefined> {
    const { entries } = await this.log.read(thread, after, FIRST_WORDS);
    const started = entries.find(({ event }) => event.type === 'RUN_STARTED' && event.runId === runId);
    const parent = started?.event.parentRunId;
    if (typeof parent !== 'string') return undefined;
    const isTold =
      surface === 'operator' || (isPrintableId(parent) && (await this.ledger.run(thread, parent)));
    return isTold ? parent : undefined;
  }

  private async grown({ thread, surface }: SeenThread, record: RunRecord): Promise<RunTree | 'trimmed'> {
    const { threadId, ...viewed } = thread;
    const start = await this.log.beginAt(threadId, record.after);
    if (start === 'trimmed') return start;
    const tree = new RunTree(record.runId);
    let view = start.entries.reduce(
      (at, entry) => viewStep(at, entry).view,
      beginView(this.policy.current(), surface, viewed),
    );
    for (let reached = start.seq; ;) {
      const page = await this.log.read(threadId, reached, PAGE);
      if (page.firstSeq > reached + 1) return 'trimmed';
      for (const entry of page.entries) {
        const step = viewStep(view, entry);
        view = step.view;
        if (entry.seq > record.after) tree.take(step.shown, entry.at);
      }
      reached = page.entries.at(-1)?.seq ?? page.head;
      if (reached >= page.head) return tree;
    }
  }

  private async toldRun(
    { runId, parentRunId, children }: RunBranch,
    path: readonly string[],
    telling: Telling,
  ): Promise<object> {
    const record = await this.ledger.run(telling.thread, runId);
    const findings = telling.findings?.filter((finding) => finding.runId === runId);
    return {
      ...(record ? runSummary(record, telling.surface) : { runId }),
      ...(parentRunId === undefined ? {} : { parentRunId }),
      ...{ depth: path.length, path },
      ...(findings ? { findings } : {}),
      children: await this.toldAll(children, path, telling),
    };
  }

  private toldAll(
    children: readonly (RunBranch | SubagentBranch)[],
    path: readonly string[],
    telling: Telling,
  ): Promise<readonly object[]> {
    return Promise.all(
      children.map(async (child) => {
        if (child.kind === 'run') return this.toldRun(child, [...path, child.runId], telling);
        const { kind: _kind, children: below, ...told } = child;
        const here = [...path, child.name];
        return {
          ...told,
          depth: here.length,
          path: here,
          children: await this.toldAll(below, here, telling),
        };
      }),
    );
  }
}
