/** Everything that is open on this instance and was let in by a token, so that it ends when the token does no longer stand. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { StreamLine } from '@triptych/fanout';
import { inBackground, type Log, type Settings, type Shutdown } from '@triptych/platform';
import { LOG, SETTINGS, SHUTDOWN } from '@triptych/platform/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import { Standing } from './standing.js';

export type DoorKind = 'socket' | 'stream';

type Line = Pick<StreamLine, 'end' | 'onceClosed'>;

export interface OpenDoor {
  readonly kind: DoorKind;
  /** Who holds it: the same person always, with the rights of their newest token. */
  readonly actor: Actor;
  /** Its holder has fewer roles from now on. */
  narrow(actor: Actor): void;
  close(reason: 'UNAUTHENTICATED'): void;
}

/** Thousands close at once when a role is revoked; others are served in between. */
const AT_ONCE = 200;

const holderOf = (kind: DoorKind, { tenant, subject }: Actor): string =>
  JSON.stringify([kind, tenant, subject]);

@Injectable()
export class OpenDoors implements OnApplicationBootstrap {
  private readonly open = new Set<OpenDoor>();
  /** How many of a kind each person has; asked at every upgrade, also when thousands come back at once. */
  private readonly counts = new Map<string, number>();
  private changed = false;
  private judging = false;

  constructor(
    @Inject(Standing) private readonly standing: Standing,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    const heedNoMore = this.standing.onChange(() => inBackground(this.log, 'open-doors', this.judgeAll()));
    this.shutdown.add('open-doors', heedNoMore);
  }

  /** To be called with what it answers once the door is closed. Judged at once: much may have happened since its token was. */
  add(door: OpenDoor): () => void {
    this.open.add(door);
    this.count(door, 1);
    this.judge(door);
    return () => {
      if (this.open.delete(door)) this.count(door, -1);
    };
  }

  /** A stream cannot go on as less than it began: it ends, and whoever still may comes back. */
  addLine(kind: DoorKind, line: Line, actor: Actor): void {
    const close = (reason: 'UNAUTHENTICATED' | 'FORBIDDEN'): void => line.end(reason);
    line.onceClosed(this.add({ kind, actor, close, narrow: () => close('FORBIDDEN') }));
  }

  /** A stream for one who has not too many of them. */
  addStream(line: Line, actor: Actor): Result<true> {
    if (this.of('stream', actor) >= this.settings.limits.streamsPerSubject)
      return refuse('RATE_LIMITED', { details: { limit: 'MAX_STREAMS_PER_SUBJECT' } });
    this.addLine('stream', line, actor);
    return ok(true);
  }

  of(kind: DoorKind, actor: Actor): number {
    return this.counts.get(holderOf(kind, actor)) ?? 0;
  }

  private async judgeAll(): Promise<void> {
    this.changed = true;
    if (this.judging) return;
    this.judging = true;
    try {
      while (this.changed) {
        this.changed = false;
        await this.judgeEach([...this.open]);
      }
    } finally {
      this.judging = false;
    }
  }

  private async judgeEach(doors: readonly OpenDoor[]): Promise<void> {
    for (const [nth, door] of doors.entries()) {
      try {
        this.judge(door);
      } catch (error) {
        // One that cannot be closed must not keep the others open.
        this.log.error('door.not-closed', { error });
      }
      if (nth % AT_ONCE === AT_ONCE - 1) await nextTurn();
    }
  }

  private judge(door: OpenDoor): void {
    const now = this.standing.judge(door.actor);
    if (!now.ok) door.close('UNAUTHENTICATED');
    else if (now.value !== door.actor) door.narrow(now.value);
  }

  private count({ kind, actor }: OpenDoor, change: 1 | -1): void {
    const holder = holderOf(kind, actor);
    const count = this.of(kind, actor) + change;
    if (count === 0) this.counts.delete(holder);
    else this.counts.set(holder, count);
  }
}
