/** What is asked to be revealed, and why. */
import { MAX_TEXT_LENGTH } from '@triptych/approvals';
import { POINTER } from '@triptych/access';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length, Matches } from 'class-validator';

const MAX_POINTER_LENGTH = 1_024;
const MAX_ID_LENGTH = 256;

export class RevealDto {
  @IsString()
  @Length(0, MAX_POINTER_LENGTH)
  @Matches(POINTER)
  pointer!: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_ID_LENGTH)
  taskId?: string;

  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, MAX_TEXT_LENGTH)
  reason!: string;
}
