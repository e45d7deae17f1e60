/** The shape of a bridges file, down to the last key: what it does not name is refused. */
import { POINTER } from '@triptych/access';
import { isPrintableId } from '@triptych/protocol';
import { z } from 'zod';
import { readCheckingKey, readSigningKey } from '../webhook/core/keys.js';
import { BRIDGE_KINDS } from './destination.js';

const text = z.string().min(1, 'may not be empty');
const name = z.string().refine(isPrintableId, 'must be 1 to 256 printable characters');
/** It stands in keys and in job names. */
const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and -, such as "advisors"');
const pointer = z.string().regex(POINTER, 'must be a JSON Pointer such as "/amount", or "" for everything');
const list = <T extends z.ZodType>(item: T) => z.array(item).default([]);

const isUrlOf = (schemes: readonly string[]) => (value: string) =>
  URL.canParse(value) && schemes.includes(new URL(value).protocol);
export const isWebUrl = isUrlOf(['http:', 'https:']);
const webUrl = z.string().refine(isWebUrl, 'must be a URL that starts with http: or https:');

const place = {
  id,
  tenant: name.default('default'),
  args: z.array(pointer).default(['']),
  redact: list(pointer),
};

/** Each is read here, so that a mistyped one stops the start and not the first message. */
const secretsRead = (read: (text: string) => unknown, forms: string) =>
  z
    .array(z.string().refine((value) => read(value) !== undefined, `must be ${forms}, and Base64`))
    .min(1, 'must hold at least one secret')
    .max(5);

const destination = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      ...place,
      kind: z.literal('slack'),
      address: z
        .string()
        .regex(/^[CDGUW][A-Z0-9]{2,20}$/, 'must be the id of a channel or person, such as "C0123ABCD"'),
    }),
    z.strictObject({
      ...place,
      kind: z.literal('teams'),
      address: text,
      serviceUrl: webUrl.default('https://smba.trafficmanager.net/teams/'),
      mode: z.enum(['bot', 'workflow']).default('bot'),
    }),
    z.strictObject({
      ...place,
      kind: z.literal('webhook'),
      address: webUrl,
      secrets: secretsRead(readSigningKey, 'whsec_… (24 to 64 bytes) or whsk_… (Ed25519)'),
      payload: z.enum(['thin', 'full']).default('thin'),
    }),
    z.strictObject({ ...place, kind: z.literal('mail'), address: z.email('must be a mail address') }),
  ],
  `kind must be one of ${BRIDGE_KINDS.join(', ')}`,
);

const route = z.strictObject({
  match: z
    .strictObject({
      rule: text.optional(),
      group: text.optional(),
      agent: text.optional(),
      tool: text.optional(),
      reason: text.optional(),
      tenant: text.optional(),
    })
    .default({}),
  to: z.array(id).min(1, 'must name at least one destination').max(20),
  /** `first`: the first that works. */
  deliver: z.enum(['all', 'first']).default('all'),
});

const person = z.strictObject({
  subject: name,
  tenant: name.default('default'),
  name: text.max(200).optional(),
  // Whoever only reads, or is a program, has nothing to decide in a chat.
  roles: z.array(z.enum(['customer', 'reviewer', 'supervisor', 'operator'])).min(1),
  groups: list(text),
  linked: z.array(z.strictObject({ kind: z.enum(BRIDGE_KINDS), id: text.max(400) })).min(1),
});

/** A program that may bring decisions of linked people. */
const key = z.strictObject({
  id,
  tenant: name.default('default'),
  secrets: secretsRead(readCheckingKey, 'whsec_… (24 to 64 bytes) or whpk_… (Ed25519)'),
  /** Globs: of the rules and the tools on whose tasks it may bring decisions. */
  rules: z.array(text).default(['*']),
  tools: z.array(text).default(['*']),
});

/** More than anybody needs; each costs a look a second. */
const MAX_DESTINATIONS = 500;
/** Whoever brings a message is found by trying them all. */
const MAX_KEYS = 32;

export const bridgesSchema = z.strictObject({
  slack: z.strictObject({ team: text, app: text.optional(), enterprise: text.optional() }).optional(),
  teams: z.strictObject({ serviceHosts: list(text) }).default({ serviceHosts: [] }),
  webhooks: z.strictObject({ privateHosts: list(text) }).default({ privateHosts: [] }),
  mail: z.strictObject({ from: text }).optional(),
  destinations: z.array(destination).max(MAX_DESTINATIONS).default([]),
  routes: list(route),
  people: list(person),
  keys: z.array(key).max(MAX_KEYS).default([]),
});

export type BridgesContent = z.infer<typeof bridgesSchema>;
