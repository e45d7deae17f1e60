/** Reads who pushes and at which place, from headers or from a frame. */
import { isPrintableId, ok, refuse, type Result } from '@triptych/protocol';
import type { PushProducer } from '@triptych/runs';

interface Raw {
  readonly id: unknown;
  readonly epoch: unknown;
  readonly seq: unknown;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const wrong = (message: string, pointer: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

const read = ({ id, epoch, seq }: Raw, pointerTo: (part: string) => string): Result<PushProducer> => {
  if (!isPrintableId(id))
    return wrong('A producer has an id of 1 to 256 printable characters.', pointerTo('id'));
  if (!isCount(epoch)) return wrong('An epoch is a whole number from 0.', pointerTo('epoch'));
  if (!isCount(seq)) return wrong('A seq is a whole number from 0.', pointerTo('seq'));
  return ok({ id, epoch, seq });
};

const DIGITS = /^\d{1,16}$/u;
const countIn = (header: unknown): unknown =>
  typeof header === 'string' && DIGITS.test(header) ? Number(header) : header;

type Headers = Readonly<Record<string, unknown>>;

/** undefined: no header speaks of a producer. */
export const producerInHeaders = (headers: Headers): Result<PushProducer | undefined> => {
  const [id, epoch, seq] = ['id', 'epoch', 'seq'].map((part) => headers[`producer-${part}`]);
  if (id === undefined && epoch === undefined && seq === undefined) return ok(undefined);
  return read({ id, epoch: countIn(epoch), seq: countIn(seq) }, (part) => `/producer-${part}`);
};

/** undefined: the frame names no producer. */
export const producerInFrame = (raw: unknown): Result<PushProducer | undefined> => {
  if (raw === undefined) return ok(undefined);
  if (typeof raw !== 'object' || raw === null) return wrong('A producer is an object.', '/producer');
  return read({ id: undefined, epoch: undefined, seq: undefined, ...raw }, (part) => `/producer/${part}`);
};
