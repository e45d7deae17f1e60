/** The shape of a bridges file, down to the last key: what it does not name is refused. */
import { POINTER } from '@triptych/access';
import { isPrintableId } from '@triptych/protocol';
import { z } from 'zod';
import { readCheckingKey, secretsRead } from '../webhook/core/keys.js';
import type { BridgeKind, FieldsOf } from './destination.js';
import type { Kinds } from './kinds.js';

const text = z.string().min(1, 'may not be empty');
const name = z.string().refine(isPrintableId, 'must be 1 to 256 printable characters');
/** It stands in keys and in job names. */
const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and -, such as "advisors"');
const pointer = z.string().regex(POINTER, 'must be a JSON Pointer such as "/amount", or "" for everything');
const list = <T extends z.ZodType>(item: T) => z.array(item).default([]);

const place = {
  id,
  tenant: name.default('default'),
  args: z.array(pointer).default(['']),
  redact: list(pointer),
};

interface Common {
  readonly id: string;
  readonly tenant: string;
  readonly args: string[];
  readonly redact: string[];
}
export type PlaceContent = {
  [K in BridgeKind]: Common & { readonly kind: K } & FieldsOf<K>;
}[BridgeKind];

const destinationIn = (kinds: Kinds) => {
  const [first, ...others] = Object.entries(kinds).map(([name, { fields }]) =>
    z.strictObject({ ...place, kind: z.literal(name), ...fields }),
  );
  const names = Object.keys(kinds).join(', ');
  if (!first) throw new Error('There is no kind of place.');
  return z.discriminatedUnion(
    'kind',
    [first, ...others],
    `kind must be one of ${names}`,
  ) as unknown as z.ZodType<PlaceContent>;
};

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
  /** Under the card it is told how the run goes on that carries the answer. */
  progress: z.boolean().default(false),
});

// What is read is one of the kinds, which only the compiler cannot see.
const kindIn = (kinds: Kinds) => z.enum(Object.keys(kinds) as BridgeKind[]);

const personIn = (kinds: Kinds) =>
  z.strictObject({
    subject: name,
    tenant: name.default('default'),
    name: text.max(200).optional(),
    // Whoever only reads, or is a program, has nothing to decide in a chat.
    roles: z.array(z.enum(['customer', 'reviewer', 'supervisor', 'operator'])).min(1),
    groups: list(text),
    linked: z.array(z.strictObject({ kind: kindIn(kinds), id: text.max(400) })).min(1),
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

export const bridgesSchemaOf = (kinds: Kinds) =>
  z.strictObject({
    slack: z.strictObject({ team: text, app: text.optional(), enterprise: text.optional() }).optional(),
    teams: z.strictObject({ serviceHosts: list(text) }).default({ serviceHosts: [] }),
    webhooks: z.strictObject({ privateHosts: list(text) }).default({ privateHosts: [] }),
    mail: z.strictObject({ from: text }).optional(),
    destinations: z.array(destinationIn(kinds)).max(MAX_DESTINATIONS).default([]),
    routes: list(route),
    people: list(personIn(kinds)),
    keys: z.array(key).max(MAX_KEYS).default([]),
  });

export type BridgesContent = z.infer<ReturnType<typeof bridgesSchemaOf>>;
