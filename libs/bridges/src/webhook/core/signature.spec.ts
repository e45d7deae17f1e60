/** Signatures of Standard Webhooks, against vectors and against what others got wrong. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { verifies } from '../../../../../test/spec/verifies.js';
import { readCheckingKey, readSigningKey, type CheckingKey, type SigningKey } from './keys.js';
import { isSignedWith, isTimely, readSigned, signatureHeader, type SignedMessage } from './signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const PRIVATE =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const PUBLIC = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: Buffer.from('{"test": 2432232314}'),
};
const VECTOR = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const signing = (text: string): SigningKey => readSigningKey(text)!;
const checking = (text: string): CheckingKey => readCheckingKey(text)!;

const headersWith = (signature: string, over: Record<string, string | string[]> = {}) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signature,
  ...over,
});

const read = (signature: string, body = message.body): SignedMessage => {
  const signed = readSigned(headersWith(signature), body);
  if (!signed.ok) throw new Error(signed.refusal.message);
  return signed.value;
};

describe('what is sent', () => {
  verifies('BRG-90', 'is signed as the published vector is', () => {
    expect(signatureHeader(message, [signing(SECRET)])).toBe(VECTOR);
  });

  verifies('BRG-90', 'has one signature a secret, so that either half of a rotation is believed', () => {
    const header = signatureHeader(message, [signing(OTHER), signing(SECRET)]);
    expect(header.split(' ')).toEqual([expect.stringMatching(/^v1,/u), VECTOR]);
    expect(isSignedWith(read(header), checking(SECRET))).toBe(true);
    expect(isSignedWith(read(header), checking(OTHER))).toBe(true);
  });

  verifies('BRG-90', 'is signed with Ed25519 too, and known by the public half alone', () => {
    const header = signatureHeader(message, [signing(PRIVATE)]);
    expect(header).toMatch(/^v1a,/u);
    expect(isSignedWith(read(header), checking(PUBLIC))).toBe(true);
    expect(isSignedWith(read(header, Buffer.from('{"test": 2432232315}')), checking(PUBLIC))).toBe(false);
  });

  verifies('BRG-90', 'takes a pair made by anybody, as its seed or with its public half behind it', () => {
    const pair = generateKeyPairSync('ed25519');
    const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const half = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const key = signing(`whsk_${seed.toString('base64')}`);
    const [, signature = ''] = signatureHeader(message, [key]).split(',');
    const content = Buffer.from(`${message.id}.${message.timestamp}.${message.body.toString()}`);
    const bytes = Buffer.from(signature, 'base64');
    expect(verify(null, content, createPublicKey(pair.privateKey), bytes)).toBe(true);
    expect(isSignedWith(read(`v1a,${signature}`), checking(`whpk_${half.toString('base64')}`))).toBe(true);
  });
});

describe('a key', () => {
  const useless: readonly (readonly [string, string])[] = [
    ['without its prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['that is no Base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!'],
    ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['of 65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['of Ed25519 with 31 bytes', `whsk_${Buffer.alloc(31).toString('base64')}`],
    ['of nothing', ''],
  ];
  for (const [what, text] of useless)
    verifies('BRG-90', `${what} is none`, () => {
      expect(readSigningKey(text)).toBeUndefined();
      expect(readCheckingKey(text)).toBeUndefined();
    });
});

describe('what came signed', () => {
  const bytes = VECTOR.slice(3);
  const believed: readonly (readonly [string, boolean, string])[] = [
    ['the signature alone', true, VECTOR],
    ['among others of schemes nobody knows', true, `v9,AAAA v1,AAAA ${VECTOR}`],
    ['in other letters', false, `v1,${bytes.toUpperCase()}`],
    ['under another scheme', false, `v2,${bytes}`],
    ['of another length', false, `v1,${bytes.slice(0, 20)}`],
    ['empty', false, 'v1,'],
  ];
  for (const [what, expected, signature] of believed)
    verifies('BRG-91', `threat 6, CH-01: ${what}: ${expected ? 'believed' : 'not believed'}`, () => {
      expect(isSignedWith(read(signature), checking(SECRET))).toBe(expected);
    });

  verifies(
    'BRG-91',
    'CH-01: is judged on its exact bytes: the same JSON in other ones is another message',
    () => {
      const other = Buffer.from(JSON.stringify(JSON.parse(message.body.toString())));
      expect(isSignedWith(read(VECTOR, other), checking(SECRET))).toBe(false);
    },
  );

  const malformed: readonly (readonly [string, Record<string, string | string[] | undefined>])[] = [
    ['no id', { 'webhook-id': undefined }],
    ['an id with a dot, which could be read as another message', { 'webhook-id': 'msg.1' }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time that is no number', { 'webhook-timestamp': 'abc' }],
    ['a time with a fraction', { 'webhook-timestamp': '1614265330.5' }],
    ['a time in other digits', { 'webhook-timestamp': '0x60' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['a signature without a scheme', { 'webhook-signature': 'AAAA' }],
    ['more signatures than anybody needs', { 'webhook-signature': Array(17).fill(VECTOR).join(' ') }],
  ];
  for (const [what, over] of malformed)
    verifies('BRG-91', `threat 6: ${what} is UNAUTHENTICATED`, () => {
      const headers = { ...headersWith(VECTOR), ...over };
      expect(readSigned(headers, message.body)).toMatchObject({ refusal: { code: 'UNAUTHENTICATED' } });
    });

  verifies('BRG-91', 'threat 6: is timely within 300 s, tomorrow as little as yesterday', () => {
    const at = (seconds: number) => isTimely(message, (message.timestamp + seconds) * 1000);
    expect([-86_400, -301, -300, 0, 300, 301, 86_400].map(at)).toEqual([
      ...[false, false, true, true, true, false, false],
    ]);
  });
});
