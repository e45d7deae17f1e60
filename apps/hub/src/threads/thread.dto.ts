/** What a caller may say of a thread it creates or lists. */
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Type } from 'class-transformer';

const MAX_ID_LENGTH = 256;
const MAX_QUERY_LENGTH = 200;
/** A cursor holds an id, and each of its characters may take several of its own. */
const MAX_CURSOR_LENGTH = 2_048;
const MAX_PAGE = 200;

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

/** Which page of a list. */
export class PageQueryDto {
  /** As the page before gave it. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_CURSOR_LENGTH)
  cursor?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  limit?: number;
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
}
