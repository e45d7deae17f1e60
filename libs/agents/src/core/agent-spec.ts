/** The shape of one agent in `agents.yaml`, with the values that fill what is left out. */
import { z } from 'zod';

/** A timer of Node fires at once above 2^31-1 ms; a week is far above any sane run. */
const MAX_TIMEOUT_MS = 7 * 24 * 60 * 60 * 1000;
/** Part of URLs and log lines, so it stays plain and short. */
const AGENT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** RFC 9110 token. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A line break in a value would start a header of its own. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Written by the exchange itself; a second one from a file would contradict it. */
const OWN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'transfer-encoding',
]);

const timeout = (fallback: number) => z.int().positive().max(MAX_TIMEOUT_MS).default(fallback);

const agentUrl = z.string().superRefine((text, issues) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) issues.addIssue('must be a http or https URL');
  // AGT-5: what is in a URL ends up in logs and error texts.
  else if (url.username || url.password) issues.addIssue('must not hold a password; use headers');
});

const headerName = z
  .string()
  .regex(HEADER_NAME, 'is not a header name')
  .refine((header) => !OWN_HEADERS.has(header.toLowerCase()), 'is set by the hub');

const connect = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('http'),
    url: agentUrl,
    headers: z.record(headerName, z.string().regex(HEADER_VALUE, 'is not a header value')).default({}),
  }),
  z.strictObject({
    type: z.literal('module'),
    package: z.string(),
    export: z.string(),
    options: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ type: z.literal('a2a'), card: agentUrl }),
  z.strictObject({ type: z.literal('push') }),
]);

const agent = z.strictObject({
  id: z.string().regex(AGENT_ID, 'must be 1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit'),
  name: z.string().min(1).optional(),
  connect,
  timeouts: z
    .strictObject({
      connectMs: timeout(10_000),
      firstEventMs: timeout(30_000),
      idleMs: timeout(120_000),
      totalMs: timeout(3_600_000),
    })
    .prefault({}),
  resume: z
    .strictObject({
      idempotent: z.boolean().default(false),
      dialect: z.enum(['standard', 'langgraph', 'frontend-tools']).default('standard'),
    })
    .prefault({}),
  onNoSubscribers: z.enum(['continue', 'cancel']).default('continue'),
  accept: z
    .strictObject({
      forwardedProps: z.array(z.string().min(1)).default([]),
      tools: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  roles: z.array(z.enum(['customer', 'operator'])).min(1, 'must name who may start runs'),
  capabilities: z.record(z.string(), z.unknown()).optional(),
});

export const agentsFileSchema = z.strictObject({ agents: z.array(agent).min(1, 'must name an agent') });

/** An agent as the file describes it, of whatever connection. */
export type DescribedAgent = z.output<typeof agent>;
export type HttpConnect = Extract<DescribedAgent['connect'], { type: 'http' }>;
export type PushConnect = Extract<DescribedAgent['connect'], { type: 'push' }>;
export type AgentTimeouts = Readonly<DescribedAgent['timeouts']>;

/** An agent this version can speak to: called over HTTP, or coming by itself. */
export type AgentSpec = Readonly<Omit<DescribedAgent, 'connect' | 'name'>> & {
  readonly name: string;
  readonly connect: HttpConnect | PushConnect;
};
export type HttpAgentSpec = AgentSpec & { readonly connect: HttpConnect };
