/** Lets bridges hear a run as reviewers are shown it: nothing else of the thread leaves here. */
import { beginView, viewStep, type View } from '@triptych/access';
import type { PolicySource, RedisEventLog } from '@triptych/assembly/nest';
import type { RunListener, RunsToTell } from '@triptych/bridges';
import { asThreadId, type ToldEntry } from '@triptych/protocol';
import type { RunLedger } from '@triptych/runs';

export interface SeenRunsParts {
  readonly log: Pick<RedisEventLog, 'beginAt' | 'follow'>;
  readonly ledger: Pick<RunLedger, 'thread' | 'run'>;
  readonly policy: Pick<PolicySource, 'current' | 'onChange'>;
}

/** What reviewers see, event by event; what was before the run is told apart. */
class ReviewersView {
  constructor(
    private view: View,
    private readonly after: number,
    private readonly listener: RunListener,
  ) {}

  take(entry: ToldEntry): void {
    const { view, shown } = viewStep(this.view, entry);
    this.view = view;
    if (shown.length === 0) return;
    if (entry.seq > this.after) this.listener.after(shown);
    else this.listener.before(shown);
  }
}

export class SeenRuns implements RunsToTell {
  constructor(private readonly parts: SeenRunsParts) {}

  async follow(
    { threadId, runId }: Parameters<RunsToTell['follow']>[0],
    listener: RunListener,
  ): ReturnType<RunsToTell['follow']> {
    const { log, ledger, policy } = this.parts;
    const id = asThreadId(threadId);
    const [thread, run] = [await ledger.thread(id), await ledger.run(id, runId)];
    if (!thread || !run) return 'none';
    const start = await log.beginAt(id, run.after);
    if (start === 'trimmed') return start;
    const { agentId, tenant } = thread;
    const heedNoMore = policy.onChange(() => listener.lost());
    try {
      const view = new ReviewersView(
        beginView(policy.current(), 'reviewer', { agentId, tenant }),
        run.after,
        listener,
      );
      for (const entry of start.entries) view.take(entry);
      const follow = await log.follow(id, start.seq, {
        entries: (batch) => batch.forEach((entry) => view.take(entry)),
        rotated: () => listener.lost(),
      });
      return {
        stop: () => {
          heedNoMore();
          follow.stop();
        },
      };
    } catch (error) {
      heedNoMore();
      throw error;
    }
  }
}
