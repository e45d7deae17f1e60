/** What Teams takes of a message that grows while it is read. */
import type { Objection } from './card-rules.js';

type Bag = Readonly<Record<string, unknown>>;

export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One stream that is under way in a chat. */
interface Stream {
  readonly id: string;
  readonly begunAt: number;
  sequence: number;
  text: string;
  lastAt: number;
}

const MAX_INFORMATIVE = 1_000;
const MAX_STREAM_MS = 120_000;

const no = (message: string, code = 'ContentStreamNotAllowed', status = 403): Objection => ({
  status,
  code,
  message,
});

export const streamInfo = (activity: Bag): Bag | undefined =>
  (Array.isArray(activity.entities) ? (activity.entities as Bag[]) : []).find(
    ({ type }) => type === 'streaminfo',
  );

export class Streams {
  private readonly open = new Map<string, Stream>();

  constructor(private readonly now: () => number) {}

  /** Undefined: it is taken. `id` is what a first chunk is called. */
  take(
    chat: { readonly id: string; readonly kind: string },
    activity: Bag,
    id: string,
  ): Objection | undefined {
    const info = streamInfo(activity);
    if (!info) return undefined;
    if (chat.kind !== 'personal') return no('Streaming is for chats of one person.');
    const stream = this.open.get(chat.id);
    if (info.streamId === undefined) return this.begin(chat.id, { info, activity, id, stream });
    if (stream?.id !== info.streamId) return no('There is no such stream.');
    return this.goOn(chat.id, stream, { info, activity });
  }

  private begin(
    chat: string,
    { info, activity, id, stream }: { info: Bag; activity: Bag; id: string; stream: Stream | undefined },
  ): Objection | undefined {
    if (stream && this.now() - stream.begunAt < MAX_STREAM_MS) return no('One stream a chat.');
    if (info.streamSequence !== 1) return no('A stream begins with 1.', 'BadRequest', 400);
    const fault = this.chunkFault(info, activity);
    if (fault) return fault;
    const at = this.now();
    const text = info.streamType === 'streaming' ? wordOf(activity.text) : '';
    this.open.set(chat, { id, begunAt: at, sequence: 1, text, lastAt: at });
    return undefined;
  }

  private goOn(
    chat: string,
    stream: Stream,
    { info, activity }: { info: Bag; activity: Bag },
  ): Objection | undefined {
    if (this.now() - stream.begunAt > MAX_STREAM_MS) {
      this.open.delete(chat);
      return no('The message has exceeded the streaming time.');
    }
    const text = wordOf(activity.text);
    if (info.streamType === 'final') {
      if (!text.startsWith(stream.text)) return no('The end repeats what came before it.');
      this.open.delete(chat);
      return undefined;
    }
    if (Number(info.streamSequence) <= stream.sequence)
      return no('Out of order.', 'ContentStreamSequenceOrderPreConditionFailed', 202);
    if (info.streamType === 'streaming' && !text.startsWith(stream.text))
      return no('A chunk repeats what came before it.');
    const fault = this.chunkFault(info, activity);
    if (fault) return fault;
    stream.sequence = Number(info.streamSequence);
    stream.lastAt = this.now();
    if (info.streamType === 'streaming') stream.text = text;
    return undefined;
  }

  private chunkFault(info: Bag, { type, text }: Bag): Objection | undefined {
    if (type !== 'typing') return no('A chunk is a typing activity.', 'BadRequest', 400);
    if (info.streamType === 'informative' && wordOf(text).length > MAX_INFORMATIVE)
      return no('An informative message has 1000 characters at most.', 'BadRequest', 400);
    return undefined;
  }
}
