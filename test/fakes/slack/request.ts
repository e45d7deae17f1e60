/** Reads a call of the Web API: form or JSON, with the token that comes with it. */
import type { IncomingMessage } from 'node:http';
import type { Members } from './answers.js';

/** What Slack itself takes of one call. */
const MAX_BODY = 4 * 1024 * 1024;
/** Members that a form carries as JSON text. */
const AS_JSON = new Set(['blocks', 'attachments', 'metadata', 'view', 'chunks']);

export interface Call {
  readonly method: string;
  readonly token?: string;
  readonly args: Members;
}

export const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // What is not JSON is left as it came: the method says what is wrong with it.
    return text;
  }
};

const fromForm = (text: string): Members =>
  Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [name, AS_JSON.has(name) ? parsed(value) : value]),
  );

const argsIn = (type: string, body: string): Members | undefined => {
  if (body === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded')) return fromForm(body);
  if (!type.startsWith('application/json')) return undefined;
  const whole = parsed(body);
  return typeof whole === 'object' && whole !== null ? (whole as Members) : undefined;
};

/** undefined: neither form nor JSON. */
export const callOf = async (request: IncomingMessage, url: URL): Promise<Call | undefined> => {
  const args = argsIn(request.headers['content-type'] ?? '', (await bodyOf(request)).toString());
  if (!args) return undefined;
  const all = { ...Object.fromEntries(url.searchParams), ...args };
  const bearer = /^Bearer (\S+)$/u.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? (typeof all['token'] === 'string' ? all['token'] : undefined);
  const method = url.pathname.replace(/^\/api\//u, '');
  return { method, args: all, ...(token === undefined ? {} : { token }) };
};
