/** The open plain sockets of this instance, by who holds them. */
import { Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { StreamLine } from '@triptych/fanout';

@Injectable()
export class PlainSockets {
  private readonly open = new Map<StreamLine, Actor>();

  add(line: StreamLine, actor: Actor): void {
    this.open.set(line, actor);
    line.onceClosed(() => this.open.delete(line));
  }

  of({ tenant, subject }: Actor): number {
    return [...this.open.values()].filter((actor) => actor.tenant === tenant && actor.subject === subject)
      .length;
  }

  /** Before this instance leaves; what they read goes on elsewhere. */
  drain(): void {
    for (const line of this.open.keys()) line.end('RESTART');
  }
}
