import { verifies } from '../../../../test/spec/verifies.js';
import { type Approach, passGate } from './gatekeeper.js';

const gate = { origins: new Set(['http://127.0.0.1:4000', 'https://app.example.com']), dev: false };
const dev = { ...gate, dev: true };
const codeOf = (at: typeof gate, headers: Approach['headers'], more: Partial<Approach> = {}): string => {
  const passed = passGate(at, { headers, rawHeaders: [], url: '/v1/agents', ...more });
  return passed.ok ? 'ok' : passed.refusal.code;
};

describe('the gate', () => {
  it.each([
    [undefined, 'ok'],
    ['http://127.0.0.1:4000', 'ok'],
    ['https://app.example.com', 'ok'],
    ['https://app.example.com.evil.example', 'FORBIDDEN'],
    ['https://APP.example.com', 'FORBIDDEN'],
    ['http://app.example.com', 'FORBIDDEN'],
    ['null', 'FORBIDDEN'],
    ['', 'FORBIDDEN'],
  ])('origin %s: %s', (origin, code) => {
    expect(codeOf(gate, origin === undefined ? {} : { origin })).toBe(code);
  });

  it.each([
    ['localhost:4000', 'ok'],
    ['127.0.0.1', 'ok'],
    ['[::1]:4000', 'ok'],
    ['localhost.evil.example', 'FORBIDDEN'],
    ['10.0.0.1:4000', 'FORBIDDEN'],
    [undefined, 'FORBIDDEN'],
  ])('host %s in dev mode: %s', (host, code) => {
    expect(codeOf(dev, host === undefined ? {} : { host })).toBe(code);
  });

  it('does not look at the host outside dev mode', () => {
    expect(codeOf(gate, { host: 'hub.example.com', 'x-forwarded-for': '10.0.0.1' })).toBe('ok');
  });

  verifies('HUB-13', 'one host counts: two are refused everywhere', () => {
    const two = { rawHeaders: ['Host', 'localhost', 'Accept', 'host', 'HOST', 'evil.example'] };
    for (const at of [gate, dev]) expect(codeOf(at, { host: 'localhost' }, two)).toBe('INVALID_INPUT');
    const one = { rawHeaders: ['Host', 'localhost', 'Accept', 'host', 'X', 'Host'] };
    expect(codeOf(dev, { host: 'localhost' }, one)).toBe('ok');
  });

  verifies('HUB-13', 'and none is one too few, in the version that asks for one', () => {
    const none = { rawHeaders: ['Accept', '*/*'], httpVersion: '1.1' };
    for (const at of [gate, dev]) expect(codeOf(at, {}, none)).toBe('INVALID_INPUT');
    expect(codeOf(gate, {}, { ...none, httpVersion: '1.0' })).toBe('ok');
  });

  verifies('HUB-13', 'a target that names a host of its own does not pass for this machine', () => {
    for (const url of ['http://evil.example/v1/agents', 'http://localhost/v1/agents', '*']) {
      expect(codeOf(dev, { host: 'localhost' }, { url })).toBe('FORBIDDEN');
      expect(codeOf(gate, { host: 'localhost' }, { url })).toBe('ok');
    }
    expect(codeOf(dev, { host: 'localhost' }, { url: '//evil.example/x' })).toBe('ok');
  });

  verifies('HUB-83', 'a hundred headers are enough', () => {
    const rawHeaders = Array.from({ length: 100 }, (_, nth) => [`x-${nth}`, 'y']).flat();
    expect(codeOf(gate, {}, { rawHeaders })).toBe('ok');
    expect(codeOf(gate, {}, { rawHeaders: [...rawHeaders, 'x', 'y'] })).toBe('INVALID_INPUT');
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])(
    '%s in dev mode',
    (name) => {
      expect(codeOf(dev, { host: 'localhost', [name]: 'x' })).toBe('FORBIDDEN');
    },
  );
});
