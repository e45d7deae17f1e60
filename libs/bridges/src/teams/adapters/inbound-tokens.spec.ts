/** The table of activities that are let in, and of those that are not, against keys that are really fetched. */
import { createHmac } from 'node:crypto';
import { ok } from '@triptych/protocol';
import { FakeTeams } from '../../../../../test/fakes/teams/fake-teams.js';
import type { TokenWish } from '../../../../../test/fakes/teams/entra.js';
import { verifies as verifiesWithin } from '../../../../../test/spec/verifies.js';
import type { Doubt } from '../core/judge-inbound.js';
import { InboundTokens } from './inbound-tokens.js';
import { TEAMS_KEY_BOUNDS, TeamsKeys } from './teams-keys.js';

type Bag = Readonly<Record<string, unknown>>;

/** Each fake makes keys of its own, which takes its time on a busy machine, ms. */
const WITH_OWN_KEYS = 240_000;
const PATIENT = { ...TEAMS_KEY_BOUNDS, fetchMs: 120_000 };
/** The reader's clock stands still, so that a busy machine moves no bound. */
const NOW = Date.now();
const NOW_S = Math.floor(NOW / 1_000);
const SKEW_S = 300;

const verifies = (id: string, name: string, body: () => Promise<void>): void =>
  verifiesWithin(id, name, body);

let teams: FakeTeams;
let inbound: InboundTokens;

const readerOf = (
  fake: FakeTeams,
  keys = new TeamsKeys(fake.env['TEAMS_OPENID_URL']!, PATIENT),
): InboundTokens =>
  new InboundTokens({
    keys,
    terms: { appId: fake.entra.appId, tenants: [fake.tenantId], serviceHosts: [fake.url] },
    now: () => NOW,
  });

beforeAll(async () => {
  teams = await FakeTeams.start();
  teams.chat('personal', 'Ann', 'Ann');
  inbound = readerOf(teams);
}, WITH_OWN_KEYS);
afterAll(() => teams.stop());

interface Case {
  readonly what: string;
  readonly token?: TokenWish;
  /** Done to the finished token, or said instead of it. */
  readonly said?: (token: string) => string | undefined;
  readonly activity?: (activity: Bag) => Bag;
  readonly doubt?: Doubt;
}

const bearer = (token: string): string => `Bearer ${token}`;

/** Signed with the public key as if it were a secret. */
const confused = (token: string): string => {
  const [, payload] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: headerOf(token).kid })).toString(
    'base64url',
  );
  const mac = createHmac('sha256', JSON.stringify(teams.entra.jwks())).update(`${header}.${payload}`);
  return bearer(`${header}.${payload}.${mac.digest('base64url')}`);
};
const headerOf = (token: string): { kid: string } =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string };

const changed = (token: string): string => {
  const [header, payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Bag;
  const other = Buffer.from(JSON.stringify({ ...claims, more: true })).toString('base64url');
  return bearer(`${header}.${other}.${signature}`);
};

const elsewhere = 'https://smba.trafficmanager.net.evil.example/';

const CASES: readonly Case[] = [
  { what: 'what Teams sends' },
  { what: 'a token just within five minutes of its end', token: { claims: { exp: NOW_S - SKEW_S + 1 } } },
  { what: 'a token that begins in five minutes', token: { claims: { nbf: NOW_S + SKEW_S } } },
  { what: 'no token', said: () => undefined, doubt: 'bearer' },
  { what: 'another scheme', said: (token) => `Basic ${token}`, doubt: 'bearer' },
  { what: 'no JWT', said: () => 'Bearer letmein', doubt: 'bearer' },
  { what: 'a token beyond any bound', said: () => `Bearer ${'a'.repeat(20_000)}.b.c`, doubt: 'bearer' },
  { what: 'alg none', token: { by: 'nobody' }, doubt: 'bearer' },
  { what: 'a shared secret', token: { by: 'secret' }, doubt: 'algorithm' },
  { what: 'the public key as a secret', said: confused, doubt: 'algorithm' },
  { what: 'an unknown kid', token: { header: { kid: 'other' } }, doubt: 'key' },
  { what: 'no kid', token: { header: { kid: undefined } }, doubt: 'key' },
  { what: 'another’s signature under a known kid', token: { by: 'stranger' }, doubt: 'signature' },
  { what: 'claims changed after signing', said: changed, doubt: 'signature' },
  { what: 'another issuer', token: { claims: { iss: 'https://sts.windows.net/x/' } }, doubt: 'issuer' },
  { what: 'no issuer', token: { claims: { iss: undefined } }, doubt: 'issuer' },
  { what: 'another app', token: { claims: { aud: 'other-app' } }, doubt: 'audience' },
  {
    what: 'a token more than five minutes over its end',
    token: { claims: { exp: NOW_S - SKEW_S - 1 } },
    doubt: 'time',
  },
  {
    what: 'a token that begins in more than five minutes',
    token: { claims: { nbf: NOW_S + SKEW_S + 1 } },
    doubt: 'time',
  },
  { what: 'a token without an end', token: { claims: { exp: undefined } }, doubt: 'time' },
  { what: 'another channel', activity: (one) => ({ ...one, channelId: 'webchat' }), doubt: 'endorsement' },
  { what: 'no channel', activity: (one) => ({ ...one, channelId: undefined }), doubt: 'endorsement' },
  { what: 'no serviceurl in the token', token: { claims: { serviceurl: undefined } }, doubt: 'service-url' },
  {
    what: 'no serviceUrl in the activity',
    activity: (one) => ({ ...one, serviceUrl: undefined }),
    doubt: 'service-url',
  },
  {
    what: 'the token’s serviceurl is another',
    activity: (one) => ({ ...one, serviceUrl: elsewhere }),
    doubt: 'service-url',
  },
  {
    what: 'an address that is nobody’s we know',
    token: { claims: { serviceurl: elsewhere } },
    activity: (one) => ({ ...one, serviceUrl: elsewhere }),
    doubt: 'service-host',
  },
  {
    what: 'another tenant',
    token: { claims: { tid: 'evil' } },
    activity: (one) => ({ ...one, channelData: { tenant: { id: 'evil' } } }),
    doubt: 'tenant',
  },
  { what: 'no tenant', activity: (one) => ({ ...one, channelData: undefined }), doubt: 'tenant' },
  { what: 'another bot', activity: (one) => ({ ...one, recipient: { id: '28:other' } }), doubt: 'recipient' },
];

const judged = async ({ token = {}, said = bearer, activity = (one) => one }: Case): Promise<unknown> => {
  const [chat] = teams.chats.all;
  const sent = activity(teams.invokes.activity(chat!, chat!.members[0]!, { type: 'message', text: 'hi' }));
  const signed = await teams.entra.sign(teams.serviceUrl, token);
  const answer = await inbound.read(said(signed), () => ok(sent));
  return answer.ok ? 'ok' : (answer.refusal.details?.['doubt'] ?? answer.refusal.code);
};

describe('activities of Teams', () => {
  it('are tried in 25 ways and more', () => expect(CASES.length).toBeGreaterThanOrEqual(25));

  for (const one of CASES)
    verifies('BRG-60', `threat 10: ${one.what}: ${one.doubt ?? 'let in'}`, async () =>
      expect(await judged(one)).toBe(one.doubt ?? 'ok'),
    );

  verifies('BRG-60', 'the first doubt counts, in the order of the rule', async () => {
    const everything = { iss: 'x', aud: 'y', exp: 1, serviceurl: elsewhere };
    const wrong = (one: Bag): Bag => ({
      ...one,
      channelId: 'webchat',
      recipient: { id: 'x' },
      channelData: {},
    });
    const order: readonly (readonly [Bag, Doubt])[] = [
      [everything, 'issuer'],
      [{ ...everything, iss: undefined }, 'issuer'],
      [{ ...everything, iss: 'https://api.botframework.com' }, 'audience'],
      [{ exp: 1, serviceurl: elsewhere }, 'time'],
      [{ serviceurl: elsewhere }, 'endorsement'],
    ];
    for (const [claims, doubt] of order)
      expect(await judged({ what: '', token: { claims }, activity: wrong })).toBe(doubt);
  });

  verifies(
    'BRG-60',
    'threat 10: a key endorsed for another channel alone does not speak for Teams',
    async () => {
      const fake = await FakeTeams.start();
      await fake.entra.rotate(['webchat'], { withdraw: true });
      const chat = fake.chat('personal', 'Ann', 'Ann');
      const reader = readerOf(fake);
      const sent = fake.invokes.activity(chat, chat.members[0]!, { type: 'message' });
      const answer = await reader.read(bearer(await fake.entra.sign(fake.serviceUrl)), () => ok(sent));
      expect(answer).toMatchObject({
        refusal: { code: 'UNAUTHENTICATED', details: { doubt: 'endorsement' } },
      });
      await fake.stop();
    },
  );

  verifies('BRG-61', 'an unknown key is looked for once, however many tokens come with it', async () => {
    const fake = await FakeTeams.start();
    const chat = fake.chat('personal', 'Ann', 'Ann');
    const sent = fake.invokes.activity(chat, chat.members[0]!, { type: 'message' });
    const reader = readerOf(fake);
    const read = async (wish: TokenWish = {}): Promise<boolean> =>
      (await reader.read(bearer(await fake.entra.sign(fake.serviceUrl, wish)), () => ok(sent))).ok;
    expect(await read()).toBe(true);
    expect(fake.entra.keyFetches).toBe(1);
    for (let nth = 0; nth < 20; nth += 1)
      expect(await read({ header: { kid: `unknown-${nth}` } })).toBe(false);
    expect(fake.entra.keyFetches).toBeLessThanOrEqual(2);
    const eager = readerOf(fake, new TeamsKeys(fake.env['TEAMS_OPENID_URL']!, { ...PATIENT, cooldownMs: 0 }));
    expect((await eager.read(bearer(await fake.entra.sign(fake.serviceUrl)), () => ok(sent))).ok).toBe(true);
    await fake.entra.rotate();
    expect((await eager.read(bearer(await fake.entra.sign(fake.serviceUrl)), () => ok(sent))).ok).toBe(true);
    await fake.stop();
  });

  verifies(
    'BRG-61',
    'while no keys can be had nothing is let in, and it is not called the token’s fault',
    async () => {
      const fake = await FakeTeams.start();
      const token = bearer(await fake.entra.sign(fake.serviceUrl));
      const reader = readerOf(fake);
      await fake.stop();
      expect(await reader.read(token, () => ok({}))).toMatchObject({ refusal: { code: 'INTERNAL' } });
    },
  );
});
