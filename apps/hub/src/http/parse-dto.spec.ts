import 'reflect-metadata';
import { DevTokenDto } from '../identity/dev-token.dto.js';
import { ThreadQueryDto } from '../threads/thread.dto.js';
import { parseDto } from './parse-dto.js';

const pointerOf = (raw: unknown): unknown => {
  const parsed = parseDto(DevTokenDto, raw);
  return parsed.ok ? 'ok' : parsed.refusal.details?.pointer;
};

describe('control input', () => {
  it('is taken as its DTO says', () => {
    expect(pointerOf({ sub: 'amelia', roles: ['customer'] })).toBe('ok');
    const query = parseDto(ThreadQueryDto, { limit: '20', status: 'waiting' });
    expect(query.ok && query.value).toMatchObject({ limit: 20, status: 'waiting' });
  });

  it.each([
    [null, ''],
    [[], ''],
    ['text', ''],
    [{ roles: [] }, '/sub'],
    [{ sub: 'a', roles: 'customer' }, '/roles'],
    [{ sub: 'a', roles: [], more: 1 }, '/more'],
    [{ sub: 'a', roles: [], ttlSeconds: 1e9 }, '/ttlSeconds'],
  ])('is refused where it is not: %j', (raw, pointer) => {
    expect(pointerOf(raw)).toBe(pointer);
  });

  it('pollutes nothing with a prototype key', () => {
    const parsed = parseDto(DevTokenDto, JSON.parse('{"sub":"a","roles":[],"__proto__":{"admin":true}}'));
    expect(parsed.ok && 'admin' in parsed.value).toBe(false);
    expect('admin' in {}).toBe(false);
  });
});
