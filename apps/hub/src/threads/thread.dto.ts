/** What a caller may say of a thread it creates or lists. */
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Type } from 'class-transformer';
import { PageQueryDto } from '../http/page-query.js';

const MAX_ID_LENGTH = 256;
const MAX_QUERY_LENGTH = 200;

export class CreateThreadDto {
  @IsOptional()
  @IsString()
  @Length(1, MAX_ID_LENGTH)
  threadId?: string;

  @IsString()
  @Length(1, MAX_ID_LENGTH)
  agentId!: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_ID_LENGTH)
  owner?: string;
}

export class ThreadQueryDto extends PageQueryDto {
  @IsOptional()
  @IsIn(['idle', 'running', 'waiting', 'failed'])
  status?: 'idle' | 'running' | 'waiting' | 'failed';

  @IsOptional()
  @IsString()
  @Length(1, MAX_ID_LENGTH)
  agent?: string;

  @IsOptional()
  @IsString()
  @Length(0, MAX_QUERY_LENGTH)
  q?: string;
}

export class SnapshotQueryDto {
  /** These two are judged where they are used. */
  @IsOptional()
  surface?: unknown;

  @IsOptional()
  profile?: unknown;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  at?: number;
}

export class LogQueryDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  after?: number;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit?: number;

  /** With what customer and reviewer are shown of each event. */
  @IsOptional()
  @IsIn(['true', 'false'])
  shown?: 'true' | 'false';
}
