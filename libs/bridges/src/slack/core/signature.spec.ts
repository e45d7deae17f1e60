import { verifies } from '../../../../../test/spec/verifies.js';
import { checkSignature, macOf, MAX_SKEW_SECONDS } from './signature.js';

/** The example that Slack's own documentation works through. */
const DOCUMENTED = {
  secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  body:
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
    '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
    '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
    '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
};
const NOW = Number(DOCUMENTED.timestamp) * 1_000;

const { secret, timestamp, body, signature } = DOCUMENTED;
const check = (
  asked: Partial<{ body: string | Uint8Array; timestamp: unknown; signature: unknown }>,
  terms: Partial<{ secrets: readonly string[]; now: number }> = {},
): boolean => {
  const given = asked.body ?? body;
  const signed = { body: Buffer.from(given as string), timestamp, signature, ...asked };
  return checkSignature(
    { ...signed, body: Buffer.from(given as string) },
    { secrets: [secret], now: NOW, ...terms },
  ).ok;
};
const signed = (text: string | Buffer, at = timestamp, by = secret) => ({
  body: text,
  timestamp: at,
  signature: `v0=${macOf(by, at, Buffer.from(text)).toString('hex')}`,
});

describe('a signature of Slack', () => {
  verifies('BRG-36', 'is the documented one over the documented bytes', () => {
    expect(check({})).toBe(true);
  });

  verifies(
    'BRG-36',
    'is of these bytes: another order, another encoding, one other byte are not signed (CH-01)',
    () => {
      const awkward = 'payload=%7B%22b%22%3A%22a+b%2B%F0%9F%98%80%22%2C%22a%22%3A1%7D';
      expect(check(signed(awkward))).toBe(true);
      const again = new URLSearchParams({
        payload: JSON.stringify(JSON.parse(new URLSearchParams(awkward).get('payload')!)),
      });
      expect(check({ ...signed(awkward), body: again.toString().replaceAll('+', '%20') })).toBe(false);
      expect(check({ body: `${body} ` })).toBe(false);
      expect(check({ body: body.replace('roadrunner', 'roadrunnes') })).toBe(false);
      const large = Buffer.alloc(1024 * 1024, 'x');
      expect(check(signed(large))).toBe(true);
    },
  );

  verifies('BRG-36', 'is of this time, and the clock may be off either way (threat 6)', () => {
    const within = [-MAX_SKEW_SECONDS, 0, MAX_SKEW_SECONDS].map((off) =>
      check({}, { now: NOW + off * 1_000 }),
    );
    expect(within).toEqual([true, true, true]);
    for (const off of [-301, 301, 86_400, -86_400]) expect(check({}, { now: NOW + off * 1_000 })).toBe(false);
  });

  verifies('BRG-36', 'has a whole number for its time, whatever its MAC is worth (threat 6)', () => {
    for (const at of ['abc', '', '1531420618.5', '1.5e9', ' 1531420618', '-1', 'Infinity'])
      expect(check(signed(body, at))).toBe(false);
  });

  verifies(
    'BRG-36',
    'has its form: no header, another version, another length or case is none (CH-01)',
    () => {
      const hex = signature.slice(3);
      const others = [
        undefined,
        '',
        'v0=',
        `v1=${hex}`,
        hex,
        `v0=${hex.toUpperCase()}`,
        `v0=${hex}00`,
        `v0=${hex.slice(2)}`,
        [signature],
      ];
      for (const other of others) expect(check({ signature: other })).toBe(false);
      for (const other of [undefined, [timestamp]]) expect(check({ timestamp: other })).toBe(false);
    },
  );

  verifies(
    'BRG-36',
    'is good by any of the secrets, while one is replaced by another, and by none when there is none',
    () => {
      expect(check({}, { secrets: ['new', secret] })).toBe(true);
      expect(check(signed(body, timestamp, 'new'), { secrets: ['new', secret] })).toBe(true);
      expect(check({}, { secrets: ['new'] })).toBe(false);
      expect(check({}, { secrets: [] })).toBe(false);
    },
  );
});
