/** The open sockets of this instance, by who holds them. */
import { Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { InboxQuery } from '@triptych/approvals';
import type { SocketSession } from '@triptych/fanout';
import type { Surface, TaskCounts } from '@triptych/protocol';

export interface InboxReading {
  readonly filter: InboxQuery;
  /** Tasks this socket was shown. */
  readonly known: Set<string>;
  /** As it was last told. */
  counts: TaskCounts;
}

export interface OpenSession {
  actor: Actor;
  readonly surface: Surface;
  readonly session: SocketSession;
  /** Present while the socket reads the inbox. */
  inbox?: InboxReading;
}

const holderOf = ({ tenant, subject }: Actor): string => JSON.stringify([tenant, subject]);

@Injectable()
export class Sessions {
  private readonly open = new Map<SocketSession, OpenSession>();
  /** How many sockets each person has; asked at every upgrade, also when thousands come back at once. */
  private readonly counts = new Map<string, number>();

  add(entry: OpenSession): void {
    this.open.set(entry.session, entry);
    this.count(entry.actor, 1);
  }

  remove(entry: OpenSession): void {
    if (this.open.delete(entry.session)) this.count(entry.actor, -1);
  }

  /** Who holds a session that is open. */
  entryOf(session: SocketSession): OpenSession {
    const entry = this.open.get(session);
    if (entry === undefined) throw new Error('A frame of a session that nobody holds.');
    return entry;
  }

  of(actor: Actor): number {
    return this.counts.get(holderOf(actor)) ?? 0;
  }

  in(tenant: string): readonly OpenSession[] {
    return this.all().filter(({ actor }) => actor.tenant === tenant);
  }

  all(): readonly OpenSession[] {
    return [...this.open.values()];
  }

  private count(actor: Actor, change: 1 | -1): void {
    const holder = holderOf(actor);
    const count = this.of(actor) + change;
    if (count === 0) this.counts.delete(holder);
    else this.counts.set(holder, count);
  }
}
