/** The open plain sockets of this instance. */
import { Injectable } from '@nestjs/common';
import type { StreamLine } from '@triptych/fanout';

@Injectable()
export class PlainSockets {
  private readonly open = new Set<StreamLine>();

  get size(): number {
    return this.open.size;
  }

  add(line: StreamLine): void {
    this.open.add(line);
    line.onceClosed(() => this.open.delete(line));
  }

  /** Before this instance leaves; what they read goes on elsewhere. */
  drain(): void {
    for (const line of this.open) line.end('RESTART');
  }
}
