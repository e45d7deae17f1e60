/** What an auditor may say of the records they want. */
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

const MAX_NAME = 256;
/** Sealed, and a number. */
const MAX_CURSOR = 64;
const MAX_PAGE = 200;

class TrailQueryDto {
  /** Unix milliseconds, both included. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  from?: number;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  to?: number;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME)
  actor?: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME)
  action?: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME)
  thread?: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME)
  task?: string;
}

export class AuditQueryDto extends TrailQueryDto {
  /** As the page before gave it. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_CURSOR)
  cursor?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  limit?: number;
}

export class ExportQueryDto extends TrailQueryDto {
  @IsOptional()
  @IsIn(['jsonl', 'csv'])
  format?: 'jsonl' | 'csv';
}

export class CheckpointsQueryDto {
  @IsOptional()
  @IsString()
  @Length(1, MAX_CURSOR)
  cursor?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  limit?: number;

  /** All of them as they are kept, to be verified with. */
  @IsOptional()
  @IsIn(['jsonl'])
  format?: 'jsonl';
}
