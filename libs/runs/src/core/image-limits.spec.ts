import type { Message } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { checkImages } from './image-limits.js';

const limits = { imageBytes: 300, imagesBytes: 500 };
const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');
const data = (bytes: number) => ({
  type: 'image',
  source: { type: 'data', value: base64(bytes), mimeType: 'image/png' },
});
const link = (value: string) => ({ type: 'image', source: { type: 'url', value } });
const message = (...content: unknown[]): Message =>
  ({ id: 'm', role: 'user', content }) as unknown as Message;
const outcome = (...messages: readonly Message[]) => {
  const checked = checkImages(messages, limits);
  return checked.ok ? 'ok' : [checked.refusal.code, checked.refusal.details];
};
const NO = ['PAYLOAD_TOO_LARGE', { limit: 'MAX_IMAGE' }];

describe('images', () => {
  verifies('HUB-55', 'count decoded, each and all together', () => {
    expect(outcome(message('text', data(300)))).toBe('ok');
    expect(outcome(message(data(303)))).toEqual(NO);
    expect(outcome(message(data(240)), message(data(240)))).toBe('ok');
    expect(outcome(message(data(240)), message(data(240), data(30)))).toEqual(NO);
  });

  verifies('HUB-55', 'count as well where they stand in an address; what is only linked to does not', () => {
    expect(outcome(message(link(`data:image/png;base64,${base64(303)}`)))).toEqual(NO);
    expect(outcome(message(link(`https://example.com/${'x'.repeat(900)}`)))).toBe('ok');
  });

  verifies('HUB-55', 'are what is counted: a document is none', () => {
    expect(outcome(message({ ...data(900), type: 'document' }), message('x'.repeat(900)))).toBe('ok');
  });
});
