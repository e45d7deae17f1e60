/** Posts a body to an address that was judged, and to no other, whatever its name resolves to next. */
import { lookup as resolveName } from 'node:dns/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure, type RequestOptions } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { PostOutcome } from '../core/post-outcome.js';
import { type Address, judgeTarget, type Reach } from '../core/target.js';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly reach: Reach;
  readonly timeoutMs: number;
}

/** All addresses of a host's name. */
export type Resolver = (name: string) => Promise<readonly Address[]>;

/** Nothing in an answer is read but its status; this much is let in, so that its sender is not cut off in the middle of a word. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** A URL writes IPv6 in brackets, the resolver does not. */
const nameIn = ({ hostname }: URL): string => {
  const bare = hostname.replace(/^\[|\]$/gu, '');
  return isIPv6(bare) ? bare : hostname;
};

export const systemResolver: Resolver = async (name) => {
  const found = await resolveName(name, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** The system's resolver cannot be stopped, but need not be waited for. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });

/** Node asks for one address or for all, and is told the same. */
const pinnedTo =
  (address: Address): LookupFunction =>
  (_name, options, tell) =>
    options.all ? tell(null, [address]) : tell(null, address.address, address.family);

const whyOf = (failure: unknown): string => {
  const { code, name } = failure as NodeJS.ErrnoException;
  // What says that time is up has a number for a code.
  return typeof code === 'string' ? code : name;
};

const letPass = (answer: IncomingMessage): void => {
  let bytes = 0;
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) answer.destroy();
  });
};

const answered = (answer: IncomingMessage): PostOutcome => {
  const { statusCode: status = 0, headers } = answer;
  const retryAfter = headers['retry-after'];
  return { kind: 'answered', status, ...(retryAfter === undefined ? {} : { retryAfter }) };
};

/** Rejects only while it is not all sent. */
const send = (url: URL, body: Buffer, options: RequestOptions): Promise<PostOutcome> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options);
    request.on('error', (failure) =>
      request.writableFinished
        ? resolve({ kind: 'unanswered', sent: true, why: whyOf(failure) })
        : reject(failure),
    );
    request.on('response', (answer) => {
      letPass(answer);
      resolve(answered(answer));
    });
    request.end(body);
  });

/** Redirects are not followed: they would lead where nobody judged. */
export const postPinned = async (
  { url, headers, body, reach, timeoutMs }: Post,
  resolver: Resolver = systemResolver,
): Promise<PostOutcome> => {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const target = judgeTarget(url, await before(signal, resolver(nameIn(url))), reach);
    if (!target.ok) return { kind: 'barred', why: target.why };
    return await send(url, body, {
      ...{ method: 'POST', headers: { ...headers, 'content-length': body.length } },
      ...{ lookup: pinnedTo(target.address), agent: false, signal },
    });
  } catch (failure) {
    return { kind: 'unanswered', sent: false, why: whyOf(failure) };
  }
};
