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

@Injectable()
export class Sessions {
  private readonly open = new Set<OpenSession>();

  add(session: OpenSession): void {
    this.open.add(session);
  }

  remove(session: OpenSession): void {
    this.open.delete(session);
  }

  of({ tenant, subject }: Actor): number {
    let count = 0;
    for (const { actor } of this.open) if (actor.tenant === tenant && actor.subject === subject) count += 1;
    return count;
  }

  in(tenant: string): readonly OpenSession[] {
    return [...this.open].filter(({ actor }) => actor.tenant === tenant);
  }

  all(): readonly OpenSession[] {
    return [...this.open];
  }
}
