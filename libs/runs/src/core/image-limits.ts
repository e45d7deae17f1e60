/** Measures the images among the messages a client brings. */
import { ok, refuse, type Message, type Result } from '@triptych/protocol';

/** Bytes, decoded. */
export interface ImageLimits {
  readonly imageBytes: number;
  /** All of one input together. */
  readonly imagesBytes: number;
}

const DATA_URL = /^data:[^,]*,/iu;

/** An upper bound to within two bytes: where base64 was padded or broken it decodes to less. */
const decodedBytes = (base64: string): number => Math.floor((base64.length * 3) / 4);

/** Bytes an image brings along; what is only linked to brings none. */
const carriedBytes = (part: unknown): number => {
  const { type, source } = part as { readonly type?: unknown; readonly source?: unknown };
  if (type !== 'image' || typeof source !== 'object' || source === null) return 0;
  const { type: kind, value } = source as { readonly type?: unknown; readonly value?: unknown };
  if (typeof value !== 'string') return 0;
  if (kind === 'data') return decodedBytes(value);
  const [head] = DATA_URL.exec(value) ?? [];
  return head === undefined ? 0 : decodedBytes(value.slice(head.length));
};

const tooLarge = (message: string): Result<never> =>
  refuse('PAYLOAD_TOO_LARGE', { message, details: { limit: 'MAX_IMAGE' } });

export const checkImages = (
  messages: readonly Message[],
  { imageBytes, imagesBytes }: ImageLimits,
): Result<true> => {
  const sizes = messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(carriedBytes) : []));
  if (sizes.some((bytes) => bytes > imageBytes)) return tooLarge('An image is too large.');
  const together = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return together > imagesBytes ? tooLarge('The images are too large together.') : ok(true);
};
