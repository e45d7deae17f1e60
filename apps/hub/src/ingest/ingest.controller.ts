/** The HTTP door for agents that come by themselves: events in, after they are stored the count of what became of them. */
import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { refuse, type Result } from '@triptych/protocol';
import type { PushAnswer } from '@triptych/runs';
import { Caller, type CalledBy } from '../identity/caller.js';
import { IngestDesk } from './ingest-desk.js';
import { formatOf, readBody } from './read-events.js';
import { producerInHeaders } from './read-producer.js';

const NOTHING = new Uint8Array();

@Controller('v1/threads/:thread/events')
export class IngestController {
  constructor(@Inject(IngestDesk) private readonly desk: IngestDesk) {}

  @Post()
  @HttpCode(200)
  async push(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Req() { headers, body }: CalledBy & { readonly body?: unknown },
  ): Promise<Result<PushAnswer>> {
    const may = this.desk.agentOf(actor);
    if (!may.ok) return may;
    const format = formatOf(headers['content-type']);
    if (!format)
      return refuse('UNSUPPORTED_MEDIA_TYPE', { message: 'Send application/json or application/x-ndjson.' });
    const producer = producerInHeaders(headers);
    if (!producer.ok) return producer;
    const items = readBody(body instanceof Uint8Array ? body : NOTHING, format);
    if (!items.ok) return items;
    return this.desk.push(actor, {
      threadId,
      producer: producer.value,
      items: items.value,
      pointers: { producer: '/producer-id', events: '' },
    });
  }
}
