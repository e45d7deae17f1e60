/** What anyone on this machine may ask for in dev mode: a token for a made-up person. */
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** A day: long enough to try things out, short enough to be forgotten. */
const MAX_TTL_SECONDS = 86_400;
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 256;

export class DevTokenDto {
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  sub!: string;

  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsString({ each: true })
  roles!: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsString({ each: true })
  groups?: string[];

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  tenant?: string;

  @IsOptional()
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  name?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  ttlSeconds?: number;
}
