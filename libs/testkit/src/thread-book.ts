/** Folds the frames of followed threads as a client must, and notes every break of the law of positions. */
import { emptyModel, modelStep, type AguiData, type Model, type SnapshotData } from '@triptych/protocol';

interface Followed {
  /** Undefined: only a snapshot may come. */
  pos: string | undefined;
  /** Where this has stood since the last snapshot: no place comes twice. */
  passed: Set<string>;
  model: Model;
  /** Between a subscribe and its reply frames are of the former delivery, and mean nothing. */
  asking: boolean;
}

type ThreadFrame =
  | { readonly event: 'snapshot'; readonly data: SnapshotData }
  | { readonly event: 'agui'; readonly data: AguiData }
  | { readonly event: 'head'; readonly data: { readonly threadId: string; readonly pos: string } };

const isThreadFrame = (frame: { readonly event: string }): frame is ThreadFrame =>
  ['snapshot', 'agui', 'head'].includes(frame.event);

/** Of an operator's position, which alone shows it. */
const seqOf = (pos: string): number => Number(/^[\w-]+:(\d+)$/u.exec(pos)?.[1] ?? NaN);

export class ThreadBook {
  /** Where something was left out, or came twice; a correct hub leaves it empty. */
  readonly gaps: string[] = [];
  private readonly threads = new Map<string, Followed>();

  positionOf(threadId: string): string | undefined {
    return this.threads.get(threadId)?.pos;
  }

  model(threadId: string): Model {
    return this.threads.get(threadId)?.model ?? emptyModel();
  }

  asked(threadId: string): void {
    const known = this.threads.get(threadId);
    if (known) known.asking = true;
  }

  /** A subscribe was answered: what comes next continues `from`, or is the snapshot that was promised. */
  answered(threadId: string, from: string | undefined, recovered: unknown): void {
    const known = this.threads.get(threadId);
    if (recovered === undefined && known) {
      known.asking = false;
      return;
    }
    const pos = recovered === 'snapshot' ? undefined : from;
    const passed = known?.passed ?? new Set();
    this.threads.set(threadId, { pos, passed, model: this.model(threadId), asking: false });
  }

  take(frame: { readonly event: string; readonly data: unknown }): void {
    if (!isThreadFrame(frame)) return;
    const { threadId, pos } = frame.data;
    const followed = this.threads.get(threadId);
    if (!followed) return this.fault(threadId, `${frame.event} of a thread nobody subscribed to`);
    if (followed.asking) return;
    if (frame.event === 'snapshot') this.restart(followed, frame.data);
    else if (frame.event === 'agui') this.follow(followed, frame.data);
    else if (followed.pos !== pos) this.fault(threadId, `stands at ${followed.pos}, head says ${pos}`);
  }

  private restart(followed: Followed, { pos, events }: SnapshotData): void {
    followed.model = events.reduce<Model>(modelStep, emptyModel());
    followed.pos = pos;
    followed.passed = new Set([pos]);
  }

  private follow(followed: Followed, data: AguiData): void {
    const { threadId, prev, pos, events, seqs } = data;
    if (followed.pos !== prev) this.fault(threadId, `stands at ${followed.pos}, frame continues ${prev}`);
    if (followed.passed.has(pos)) this.fault(threadId, `comes to ${pos} again`);
    if (seqs) this.checkSeqs(threadId, { from: seqOf(prev), to: seqOf(pos), seqs });
    followed.model = events.reduce<Model>(modelStep, followed.model);
    followed.pos = pos;
    followed.passed.add(pos);
  }

  /** The operator is shown every entry of the log, so that one left out or repeated shows in their numbers. */
  private checkSeqs(threadId: string, span: { from: number; to: number; seqs: readonly number[] }): void {
    const { from, to, seqs } = span;
    const dense = seqs.every((seq, index) => seq === from + index + 1);
    if (!dense || seqs.at(-1) !== to) this.fault(threadId, `${from}–${to} holds ${seqs.join(' ')}`);
  }

  private fault(threadId: string, what: string): void {
    this.gaps.push(`${threadId}: ${what}`);
  }
}
