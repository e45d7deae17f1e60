import 'reflect-metadata';
import { parseDto } from '../http/parse-dto.js';
import { DevTokenDto } from './dev-token.dto.js';

describe('a token for a made-up person', () => {
  it.each([
    [{ sub: 'amelia', roles: ['customer'] }, undefined],
    [
      { sub: 'amelia', roles: ['customer'], groups: ['a'], tenant: 't', name: 'Amelia', ttlSeconds: 60 },
      undefined,
    ],
    [{ sub: '', roles: [] }, '/sub'],
    [{ sub: 'a', roles: Array.from({ length: 51 }, () => 'customer') }, '/roles'],
    [{ sub: 'a', roles: [], ttlSeconds: 0 }, '/ttlSeconds'],
    [{ sub: 'a', roles: [], ttlSeconds: 1e9 }, '/ttlSeconds'],
    [{ sub: 'a', roles: [], exp: 1 }, '/exp'],
  ])('%j is refused at %s', (raw, pointer) => {
    const parsed = parseDto(DevTokenDto, raw);
    expect(parsed.ok ? undefined : parsed.refusal.details?.pointer).toBe(pointer);
  });
});
