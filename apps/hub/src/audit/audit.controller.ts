/** The auditor's door to the sealed trail of their tenant: records, exports, and the checkpoints that vouch for them. */
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import type { AuditReader, CheckpointReader } from '@triptych/audit';
import { AUDIT, CHECKPOINTS, HUB_SECRET } from '@triptych/assembly/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { Response } from 'express';
import { parseDto } from '../http/parse-dto.js';
import { valueOf } from '../http/refused.js';
import { openCursor, sealCursor } from '../http/sealed-cursor.js';
import { Caller } from '../identity/caller.js';
import { AuditQueryDto, CheckpointsQueryDto, ExportQueryDto } from './audit.dto.js';
import { Downloads } from './downloads.js';

const PAGE = 50;

/** The same for all queries of an auditor: what is asked may be read only after it is known who asks. */
const asked = <T extends object>(actor: Actor, dto: new () => T, query: unknown): Result<T> => {
  const allowed = permit(actor, 'audit.read', { tenant: actor.tenant });
  return allowed.ok ? parseDto(dto, query) : allowed;
};

@Controller('v1/audit')
export class AuditController {
  constructor(
    @Inject(AUDIT) private readonly trail: AuditReader,
    @Inject(CHECKPOINTS) private readonly checkpoints: CheckpointReader,
    @Inject(HUB_SECRET) private readonly secret: Buffer,
    @Inject(Downloads) private readonly downloads: Downloads,
  ) {}

  @Get()
  async list(@Caller() actor: Actor, @Query() query: unknown) {
    const given = asked(actor, AuditQueryDto, query);
    if (!given.ok) return given;
    const { cursor, limit = PAGE, ...filter } = given.value;
    const before = this.before('audit', cursor);
    if (!before.ok) return before;
    const page = await this.trail.page(actor.tenant, { ...filter, ...before.value, limit });
    return ok(this.paged('audit', page));
  }

  @Get('export')
  async export(@Caller() actor: Actor, @Query() query: unknown, @Res() response: Response): Promise<void> {
    const { format = 'jsonl', ...filter } = valueOf(asked(actor, ExportQueryDto, query));
    const pieces = this.trail.export(actor.tenant, format, filter);
    await this.downloads.send(response, { actor, format, name: 'audit', pieces });
  }

  @Get('checkpoints')
  async vouched(
    @Caller() actor: Actor,
    @Query() query: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const given = asked(actor, CheckpointsQueryDto, query);
    if (!given.ok) return given;
    const { cursor, limit = PAGE, format } = given.value;
    if (format !== undefined) {
      const pieces = this.checkpoints.lines(actor.tenant);
      return this.downloads.send(response, { actor, format, name: 'checkpoints', pieces });
    }
    const before = this.before('checkpoints', cursor);
    if (!before.ok) return before;
    return ok(
      this.paged('checkpoints', await this.checkpoints.page(actor.tenant, { ...before.value, limit })),
    );
  }

  private before(list: string, cursor: string | undefined): Result<{ readonly before?: number }> {
    if (cursor === undefined) return ok({});
    const [name, place] = (openCursor(this.secret, cursor) ?? '').split(' ');
    return name === list
      ? ok({ before: Number(place) })
      : refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
  }

  private paged<T>(
    list: string,
    { items, before }: { readonly items: readonly T[]; readonly before?: number },
  ) {
    return before === undefined
      ? { items }
      : { items, nextCursor: sealCursor(this.secret, `${list} ${before}`) };
  }
}
