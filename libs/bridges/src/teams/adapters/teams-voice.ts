/** Tells runs in Teams: as a stream in a person's own chat, else in a message that is changed, below the card where there are threads. */
import type { Act, Heard, ProgressPlace, Voice } from '../../progress/core/voice.js';
import { meaningOf, type Heard as Answer, type Sending } from '../core/delivery-of.js';
import { progressMessage, streamChunk, streamEnd } from '../core/progress-message.js';
import type { Connector, Spot } from './connector.js';
import type { RedisTeamsBook } from './redis-teams-book.js';

type Doing<K extends Act['kind']> = Extract<Act, { kind: K }>;
type TeamsPlace = ProgressPlace<'teams'>;

const CHANNEL = /@thread\.(?:tacv2|skype)$/u;
const STREAMING: readonly Act['kind'][] = ['begin', 'add', 'end'];

const cardOf = (posted: string): string | undefined => {
  const read: unknown = JSON.parse(posted);
  return Array.isArray(read) && typeof read[1] === 'string' ? read[1] : undefined;
};

const heardOf = (answer: Answer & { readonly id?: string }, sending: Sending): Heard => {
  const meaning = meaningOf(answer, sending);
  if (meaning.kind !== 'done') return meaning;
  // Taken, and left out all the same: a chunk that came out of order.
  if (answer.code !== undefined) return { kind: 'no-stream', why: answer.code };
  return { kind: 'done', ...(answer.id === undefined ? {} : { id: answer.id }) };
};

export class TeamsVoice implements Voice<'teams'> {
  readonly kind = 'teams';
  /** A stream lives for two minutes. */
  readonly terms = { pageChars: 6_000, changeMs: 1_500, addMs: 1_500, streamMs: 110_000, canLook: false };

  constructor(private readonly parts: { readonly bot: Connector; readonly book: RedisTeamsBook }) {}

  async streamsAt({ destination }: TeamsPlace): Promise<boolean> {
    return (await this.parts.book.find(destination.address))?.kind === 'personal';
  }

  async carryOut(act: Act, place: TeamsPlace): Promise<Heard> {
    try {
      const heard = await this.did(act, await this.spotOf(place));
      return heard.kind === 'refused' && STREAMING.includes(act.kind)
        ? { kind: 'no-stream', why: heard.why }
        : heard;
    } catch (failure) {
      // Nothing was sent: the connector tells of what was.
      return { kind: 'failed', why: failure instanceof Error ? failure.message : 'unknown' };
    }
  }

  /** In a channel what follows a message is of its thread. */
  private async spotOf({ destination, card: posted }: TeamsPlace): Promise<Spot> {
    const { address, serviceUrl } = destination;
    const spot: Spot = (await this.parts.book.find(address)) ?? { conversation: address, serviceUrl };
    const card = cardOf(posted);
    const threaded = card !== undefined && CHANNEL.test(spot.conversation);
    return threaded ? { ...spot, conversation: `${spot.conversation};messageid=${card}` } : spot;
  }

  private did(act: Act, spot: Spot): Promise<Heard> {
    switch (act.kind) {
      case 'post':
        return this.named(spot, progressMessage(act.page));
      case 'begin':
        return this.named(spot, streamChunk(act.page, { streamSequence: 1 }));
      case 'change':
        return this.change(act, spot);
      case 'add':
        return this.add(act, spot);
      case 'end':
        return this.send(spot, streamEnd(act.page, act.id));
      case 'find':
        return Promise.resolve({ kind: 'absent' });
    }
  }

  private async named(spot: Spot, message: object): Promise<Heard> {
    const heard = await this.send(spot, message);
    return heard.kind === 'done' && heard.id === undefined
      ? { kind: 'unsure', why: 'an answer without a name' }
      : heard;
  }

  private async send(spot: Spot, message: object): Promise<Heard> {
    return heardOf(await this.parts.bot.post(spot, message), 'post');
  }

  private async change({ page, id }: Doing<'change'>, spot: Spot): Promise<Heard> {
    return heardOf(await this.parts.bot.update(spot, id, progressMessage(page)), 'update');
  }

  private async add({ page, id, before }: Doing<'add'>, spot: Spot): Promise<Heard> {
    return this.send(spot, streamChunk(page, { streamId: id, streamSequence: before.chunks + 1 }));
  }
}
