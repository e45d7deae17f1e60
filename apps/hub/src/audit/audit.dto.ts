/** What an auditor may say of the records they want. */
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Min } from 'class-validator';
import { Cursor, Limit, PageQueryDto } from '../http/page-query.js';

const MAX_NAME = 256;

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
  @Cursor()
  cursor?: string;

  @Limit()
  limit?: number;
}

export class ExportQueryDto extends TrailQueryDto {
  @IsOptional()
  @IsIn(['jsonl', 'csv'])
  format?: 'jsonl' | 'csv';

  /** Only records behind this one. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  after?: number;

  /** This one is the last. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  upTo?: number;
}

export class CheckpointsQueryDto extends PageQueryDto {
  /** All of them as they are kept, to be verified with. */
  @IsOptional()
  @IsIn(['jsonl'])
  format?: 'jsonl';
}
