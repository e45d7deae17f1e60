/** Stands before every HTTP request: origin, host, security headers, CORS and the size of bodies. */
import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { nestsDeeper } from '@triptych/fanout';
import type { Settings } from '@triptych/platform';
import { httpStatusOf, refusal, type RefusalCode } from '@triptych/protocol';
import type { NextFunction, Request, Response } from 'express';
import { type Gate, passGate } from './gatekeeper.js';
import { Refused } from './refused.js';
import { limitServer } from './server-limits.js';
import { answerUnreadable } from './unreadable.js';

/** Everything a page of ours needs comes from us; React sets styles by script, not by attribute text. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // No text becomes markup or code, not even by an oversight of ours.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const CORS_HEADERS = 'authorization, content-type, accept, last-event-id, if-match, idempotency-key';
const CORS_EXPOSED = 'hub-recovered, retry-after';
const CORS_METHODS = 'GET, POST';

/** What a body adds around the values that have the limit: itself, and the member that holds one. */
const BODY_LEVELS = 2;

const sayNo = (response: Response, code: RefusalCode, message?: string): void => {
  response
    .status(httpStatusOf(code))
    .json({ error: refusal(code, message === undefined ? {} : { message }) });
};

const securityHeaders = (_request: Request, response: Response, next: NextFunction): void => {
  response.setHeader('Content-Security-Policy', CONTENT_POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  next();
};

const gateFor = (gate: Gate) => (request: Request, response: Response, next: NextFunction) => {
  const passed = passGate(gate, request);
  if (passed.ok) return next();
  response.status(httpStatusOf(passed.refusal.code)).json({ error: passed.refusal });
};

const corsFor =
  (allowed: readonly string[]) => (request: Request, response: Response, next: NextFunction) => {
    const { origin } = request.headers;
    // Also where nobody is named: what is kept of it on the way must not be given to whoever is.
    if (allowed.length > 0) response.setHeader('Vary', 'Origin');
    if (origin === undefined || !allowed.includes(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', CORS_EXPOSED);
    if (request.method !== 'OPTIONS') return next();
    response.setHeader('Access-Control-Allow-Headers', CORS_HEADERS);
    response.setHeader('Access-Control-Allow-Methods', CORS_METHODS);
    response.status(204).end();
  };

interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Events are taken as they were written, and their door says itself what it takes. */
const isPush = ({ method, url }: Asked) =>
  method === 'POST' && /^\/v1\/threads\/[^/?]+\/events(?:$|\?)/u.test(url ?? '');

/** What is signed is signed byte by byte, in the format of whoever signs it. */
const isSigned = ({ method, url = '' }: Asked) => method === 'POST' && url.startsWith('/v1/bridges/');
/** Bytes of a signed call; chats send a few thousand. */
const SIGNED_BYTES = 1024 * 1024;

/** A body that is not JSON is not guessed at. */
const jsonOnly = (request: Request, response: Response, next: NextFunction): void => {
  if (isPush(request) || isSigned(request)) return next();
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  const type = request.headers['content-type'] ?? '';
  if (!hasBody || /^application\/(?:[\w.+-]+\+)?json\b/iu.test(type)) return next();
  sayNo(response, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
};

/** Looked at before it is parsed: parsing millions of brackets takes seconds, walking what comes of it a stack. */
const refuseDeep = (depth: number) => (_request: unknown, _response: unknown, body: Buffer) => {
  if (!nestsDeeper(body.toString(), depth + BODY_LEVELS)) return;
  const message = `The body is nested deeper than ${depth}.`;
  throw new Refused(refusal('INVALID_INPUT', { message, details: { pointer: '' } }));
};

export const guardEveryRequest = (
  app: NestExpressApplication,
  { gate, settings }: { readonly gate: Gate; readonly settings: Settings },
): void => {
  const server = app.getHttpServer() as Server;
  answerUnreadable(server);
  limitServer(server, settings.limits.unfinishedPerAddress);
  app.disable('x-powered-by');
  app.use(securityHeaders, corsFor(settings.allowedOrigins), gateFor(gate), jsonOnly);
  const { bodyBytes: limit, depth } = settings.limits;
  const options = { limit, strict: false, type: 'application/json', verify: refuseDeep(depth) };
  app.useBodyParser('raw', { limit, type: isPush });
  app.useBodyParser('raw', { limit: Math.min(limit, SIGNED_BYTES), inflate: false, type: isSigned });
  app.useBodyParser('json', options);
};
