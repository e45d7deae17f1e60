/** Which page of a list, as every list is asked for it. */
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** A cursor holds an id, and each of its characters may take several of its own. */
const MAX_CURSOR_LENGTH = 2_048;
const MAX_PAGE = 200;

/** As the page before gave it. */
export const Cursor = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), Length(1, MAX_CURSOR_LENGTH));

export const Limit = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(MAX_PAGE),
  );

export class PageQueryDto {
  @Cursor()
  cursor?: string;

  @Limit()
  limit?: number;
}
