/** Runs that a test plays, as reviewers would be shown them. */
import type { AguiEvent } from '@triptych/protocol';
import type { RunListener, RunsToTell } from '../src/progress/core/ports.js';

export class PlayedRuns implements RunsToTell {
  /** How often somebody began to listen. */
  follows = 0;
  private readonly events = new Map<string, AguiEvent[]>();
  private readonly listeners = new Map<string, Set<RunListener>>();

  play(runId: string, ...events: readonly AguiEvent[]): void {
    const started = { type: 'RUN_STARTED', threadId: 't', runId };
    const all = this.events.get(runId) ?? [started];
    this.events.set(runId, [...all, ...events]);
    for (const listener of this.listeners.get(runId) ?? []) listener.after(events);
  }

  says(runId: string, messageId: string, delta: string): void {
    this.play(
      runId,
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
      { type: 'TEXT_MESSAGE_END', messageId },
    );
  }

  ends(runId: string): void {
    this.play(runId, { type: 'RUN_FINISHED', threadId: 't', runId });
  }

  /** As when another policy comes into force. */
  lose(runId: string): void {
    for (const listener of this.listeners.get(runId) ?? []) listener.lost();
  }

  follow({ runId }: { readonly runId: string }, listener: RunListener): ReturnType<RunsToTell['follow']> {
    const told = this.events.get(runId);
    if (!told) return Promise.resolve('none');
    this.follows += 1;
    listener.after(told);
    const all = this.listeners.get(runId) ?? new Set();
    this.listeners.set(runId, all.add(listener));
    return Promise.resolve({ stop: () => void all.delete(listener) });
  }
}
