/** What an admin revokes: one token, all of a subject, or a role of all. */
import { REVOKED_BY, type RevokedBy, ROLES, type Role } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';
import { parseDto } from '../http/parse-dto.js';

const MAX_NAME_LENGTH = 256;

class RevocationDto {
  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  jti?: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  sub?: string;

  @IsOptional()
  @IsIn(ROLES)
  role?: Role;
}

export interface AskedToRevoke {
  readonly by: RevokedBy;
  readonly name: string;
}

export const parseRevocation = (raw: unknown): Result<AskedToRevoke> => {
  const parsed = parseDto(RevocationDto, raw);
  if (!parsed.ok) return parsed;
  const named = REVOKED_BY.flatMap((by) => {
    const name = parsed.value[by];
    return typeof name === 'string' ? [{ by, name }] : [];
  });
  const [first, second] = named;
  return first && !second
    ? ok(first)
    : refuse('INVALID_INPUT', { message: 'Name one of jti, sub and role.', details: { pointer: '' } });
};
