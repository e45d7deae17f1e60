import { verifies } from '../../../../test/spec/verifies.js';
import { parsePolicyText } from '../adapters/policy-file.js';
import { redactsArgs, revealArgs, revealState } from './reveal.js';

const read = (text: string) => {
  const policy = parsePolicyText(text, 'policy.yaml');
  if (!policy.ok) throw new Error(policy.why);
  return policy.value;
};
const policy = read(`
surfaces:
  customer: {}
  reviewer:
    state: [/account/iban, /list/*/name, /note]
    redact: [/account, /list/*/name, /secret]
    tools: { pay: { redact: [/card, /items/*/price] } }
`);
const state = {
  account: { iban: 'CH1', pin: '0000' },
  list: [{ name: 'ann', pin: '1' }, { pin: '2' }],
  note: '[redacted]',
  secret: 's',
};

const found = (pointer: string) => {
  const result = revealState(policy, 'reviewer', { state, pointer });
  return result.ok ? result.value : result.refusal.code;
};

describe('a reveal', () => {
  verifies('ACC-64', 'answers what is shown as redacted, or a part of it, less what is hidden', () => {
    expect(found('/account')).toEqual({ iban: 'CH1' });
    expect(found('/account/iban')).toBe('CH1');
    expect(found('/list/0/name')).toBe('ann');
  });

  verifies('ACC-64', 'does not tell what is hidden from what is absent', () => {
    const nowhere = ['/account/pin', '/list/0/pin', '/list/1/name', '/list/2/name', '/list/length'];
    for (const pointer of [...nowhere, '/secret', '/none', '/__proto__', '/list/00/name', '/note/length'])
      expect([pointer, found(pointer)]).toEqual([pointer, 'NOT_FOUND']);
  });

  verifies('ACC-64', 'of what is shown, or holds a redacted part, is refused', () => {
    for (const pointer of ['', '/list', '/list/0', '/note'])
      expect([pointer, found(pointer)]).toEqual([pointer, 'INVALID_INPUT']);
  });

  verifies('ACC-64', 'of a proposal goes by what its tool has redacted', () => {
    const args = { card: { no: 1 }, items: [{ price: 2, name: 'x' }] };
    const answer = (tool: string | undefined, pointer: string) =>
      revealArgs(policy, 'reviewer', { tool, args, pointer });
    expect(answer('pay', '/card/no')).toEqual({ ok: true, value: 1 });
    expect(answer('pay', '/items/0/price')).toEqual({ ok: true, value: 2 });
    for (const [tool, pointer] of [
      ['pay', '/items/0/name'],
      ['look', '/card'],
      [undefined, '/card'],
    ] as const)
      expect(answer(tool, pointer)).toMatchObject({ refusal: { code: 'INVALID_INPUT' } });
    expect(redactsArgs(policy, 'reviewer', { tool: 'pay', args })).toBe(true);
    expect(redactsArgs(policy, 'reviewer', { tool: 'pay', args: { items: [{ name: 'x' }] } })).toBe(false);
    expect(redactsArgs(policy, 'reviewer', { tool: 'look', args })).toBe(false);
    expect(redactsArgs(policy, 'reviewer', { tool: 'pay', args: undefined })).toBe(false);
  });
});
