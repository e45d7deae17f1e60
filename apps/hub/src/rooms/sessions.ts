/** The open sockets of this instance, by who holds them. */
import { Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { InboxFilter } from '@triptych/approvals';
import type { SocketSession } from '@triptych/fanout';
import type { Surface, TaskCounts } from '@triptych/protocol';

export interface InboxReading {
  readonly filter: InboxFilter;
  /** Tasks this socket was shown. */
  readonly known: Set<string>;
  /** As it was last told. */
  counts: TaskCounts;
}

/** What changed meanwhile; `all`: some of it is not known. */
export interface Missed {
  readonly taskIds: Set<string>;
  all: boolean;
}

export interface OpenSession {
  actor: Actor;
  readonly surface: Surface;
  readonly session: SocketSession;
  /** Present while the socket reads the inbox. */
  inbox?: InboxReading;
  /** Present while its inbox is being read: what it is answered may be older. */
  missed?: Missed;
}

@Injectable()
export class Sessions {
  private readonly open = new Map<SocketSession, OpenSession>();

  add(entry: OpenSession): void {
    this.open.set(entry.session, entry);
  }

  remove(entry: OpenSession): void {
    this.open.delete(entry.session);
  }

  /** Who holds a session that is open. */
  entryOf(session: SocketSession): OpenSession {
    const entry = this.open.get(session);
    if (entry === undefined) throw new Error('A frame of a session that nobody holds.');
    return entry;
  }

  in(tenant: string): readonly OpenSession[] {
    return this.all().filter(({ actor }) => actor.tenant === tenant);
  }

  /** Those of a tenant who read an inbox. */
  reading(tenant: string): readonly OpenSession[] {
    return this.in(tenant).filter(({ inbox }) => inbox !== undefined);
  }

  all(): readonly OpenSession[] {
    return [...this.open.values()];
  }

  bySurface(): Readonly<Record<Surface, number>> {
    const counts = { customer: 0, reviewer: 0, operator: 0 };
    for (const { surface } of this.open.values()) counts[surface] += 1;
    return counts;
  }
}
