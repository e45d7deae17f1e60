/** Writes every failure as a refusal of the one table. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { httpStatusOf, refusal, type Refusal, type RefusalCode } from '@triptych/protocol';
import type { Request, Response } from 'express';
import { refusalOf } from './refusal-of.js';
import { Refused } from './refused.js';

const BY_STATUS: Readonly<Record<number, RefusalCode>> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};

/** The body parser's own errors carry a status and a type. */
const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
};

const messageOf = (error: unknown): string | undefined => {
  if (!(error instanceof HttpException)) return undefined;
  const body = error.getResponse() as { message?: unknown };
  return Array.isArray(body.message) ? body.message.join('; ') : undefined;
};

@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const asked = this.refusalFor(error, host.switchToHttp().getRequest<Request>());
    if (response.headersSent) {
      response.end();
      return;
    }
    if (asked.retryAfterMs !== undefined)
      response.setHeader('Retry-After', Math.ceil(asked.retryAfterMs / 1000));
    response.status(httpStatusOf(asked.code)).json({ error: asked });
  }

  private refusalFor(error: unknown, request: Request): Refusal {
    if (error instanceof Refused) return error.refusal;
    const status = statusOf(error);
    const code = status === undefined ? undefined : BY_STATUS[status];
    if (code === 'PAYLOAD_TOO_LARGE') return refusal(code, { details: { limit: 'MAX_BODY' } });
    const message = messageOf(error);
    if (code) return refusal(code, message === undefined ? {} : { message });
    return refusalOf(error, this.log, { method: request.method, path: request.path });
  }
}
