import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Length, Max } from 'class-validator';
import { verifies } from '../../../../test/spec/verifies.js';
import { parseDto } from './parse-dto.js';

class PersonDto {
  @IsString()
  @Length(1, 10)
  sub!: string;

  @IsArray()
  @IsString({ each: true })
  roles!: string[];

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Max(100)
  limit?: number;
}

const pointerOf = (raw: unknown): unknown => {
  const parsed = parseDto(PersonDto, raw);
  return parsed.ok ? 'ok' : parsed.refusal.details?.pointer;
};

describe('control input', () => {
  it('is taken as its DTO says', () => {
    expect(pointerOf({ sub: 'amelia', roles: ['customer'] })).toBe('ok');
    const query = parseDto(PersonDto, { sub: 'amelia', roles: [], limit: '20' });
    expect(query.ok && query.value).toMatchObject({ limit: 20 });
  });

  it.each([
    [null, ''],
    [[], ''],
    ['text', ''],
    [{ roles: [] }, '/sub'],
    [{ sub: { constructor: {} }, roles: [] }, '/sub/constructor'],
    [{ sub: 'a', roles: [{ a: [{ constructor: { b: 1 } }] }] }, '/roles/0/a/0/constructor'],
    [{ constructor: {}, sub: 'a', roles: [] }, '/constructor'],
    [{ sub: 'a', roles: 'customer' }, '/roles'],
    [{ sub: 'a', roles: [], more: 1 }, '/more'],
    [{ sub: 'a', roles: [], limit: 1e9 }, '/limit'],
  ])('is refused where it is not: %j', (raw, pointer) => {
    expect(pointerOf(raw)).toBe(pointer);
  });

  verifies('ACC-69', 'is refused where it brings a prototype', () => {
    const tainted: unknown = JSON.parse('{"sub":"a","roles":[],"__proto__":{"admin":true}}');
    expect(pointerOf(tainted)).toBe('/__proto__');
    expect('admin' in {}).toBe(false);
  });
});
