/** Judges whether an agent's response schema can harm who judges answers by it, and copies it into one that cannot. */
import type { Schema } from '@cfworker/json-schema';
import { canonicalOf } from '../canonical.js';
import { measureJson } from './json-measure.js';
import type { PatternCost } from './pattern-cost.js';
import { SchemaReader } from './schema-reader.js';

/** Known keywords only and no references, with what one look at an answer costs. */
export interface SafeSchema {
  readonly schema: Schema | boolean;
  readonly nodes: number;
  readonly costs: readonly PatternCost[];
  /** Equal items are looked for, each against each. */
  readonly comparesItems: boolean;
}

export type SafeSchemaReading =
  { readonly ok: true; readonly safe: SafeSchema } | { readonly ok: false; readonly why: string };

/** A schema beyond this is not written to ask a person something. */
const MAX_SCHEMA_SIZE = 64 * 1024;
const MAX_SCHEMA_JSON_DEPTH = 128;

/** A schema that reaches outside, has no end, is oversized or may match forever is never run. */
export const safeSchema = (given: unknown): SafeSchemaReading => {
  const { size, depth } = measureJson(given);
  if (size > MAX_SCHEMA_SIZE || depth > MAX_SCHEMA_JSON_DEPTH) return { ok: false, why: 'too large' };
  if (canonicalOf(given) === undefined) return { ok: false, why: 'not valid Unicode' };
  const reader = new SchemaReader(given);
  const schema = reader.read();
  if (reader.refused !== undefined) return { ok: false, why: reader.refused };
  const { nodes, costs, comparesItems } = reader;
  return { ok: true, safe: { schema, nodes, costs, comparesItems } };
};
