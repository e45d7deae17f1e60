/** Copies a response schema from an agent into one that is safe to validate with: known keywords, no references, bounded work. */
import type { Schema } from '@cfworker/json-schema';
import { patternCost, type PatternCost } from './pattern-cost.js';
import { CHECKED_FORMATS, KEYWORDS, REFUSED_KEYWORDS, SHAPES, type Holds } from './schema-words.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** References are written out, so this also bounds what a small schema can unfold to. */
const MAX_SCHEMA_NODES = 1_000;
const MAX_SCHEMA_DEPTH = 32;
/** The format checkers are regular expressions that look back a little. */
const FORMAT_COST: PatternCost = { factor: 8, power: 2 };

const pointerKeys = (ref: string): readonly string[] =>
  decodeURIComponent(ref.slice(2))
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class SchemaReader {
  /** Why the schema is refused; undefined: it is not. */
  refused: string | undefined;
  readonly costs: PatternCost[] = [];
  comparesItems = false;
  nodes = 0;

  constructor(private readonly root: unknown) {}

  read(): Schema | boolean {
    return this.schema(this.root, []);
  }

  private refuse(why: string): false {
    this.refused ??= why;
    return false;
  }

  /** `trail` holds the references being written out; one that comes again is a schema without end. */
  private schema(given: unknown, trail: readonly string[], depth = 0): Schema | boolean {
    if (this.refused !== undefined) return false;
    if (typeof given === 'boolean') return given;
    if (!isObject(given)) return this.refuse('a schema is neither an object nor a boolean');
    this.nodes += 1;
    if (this.nodes > MAX_SCHEMA_NODES) return this.refuse('too large');
    if (depth > MAX_SCHEMA_DEPTH) return this.refuse('too deep');
    if (depth > 0 && given.$id !== undefined) return this.refuse('$id inside the schema');
    const own = this.keywords(given, (child) => this.schema(child, trail, depth + 1));
    if (given.$ref === undefined) return own;
    return { allOf: [this.reference(given.$ref, trail, depth), own] as Schema[] };
  }

  private reference(ref: unknown, trail: readonly string[], depth: number): Schema | boolean {
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return this.refuse(`$ref leaves the schema`);
    if (trail.includes(ref)) return this.refuse('$ref leads back to itself');
    const target = this.find(ref);
    return target === undefined
      ? this.refuse('$ref leads nowhere')
      : this.schema(target, [...trail, ref], depth + 1);
  }

  private find(ref: string): unknown {
    try {
      return pointerKeys(ref).reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, key)
            ? (value as JsonObject)[key]
            : undefined,
        this.root,
      );
    } catch {
      // decodeURIComponent throws for a broken escape: then there is no such place.
      return undefined;
    }
  }

  private keywords(given: JsonObject, read: (child: unknown) => Schema | boolean): Schema {
    const kept = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
      if (REFUSED_KEYWORDS.has(name)) this.refuse(`${name} is not supported`);
      const holds = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      if (holds === undefined) return [];
      if (!SHAPES[holds](value)) this.refuse(`${name} has no legal value`);
      return this.refused === undefined ? [[name, this.held(name, holds, { value, read })]] : [];
    });
    return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
  }

  private held(
    name: string,
    holds: Holds,
    { value, read }: { readonly value: unknown; readonly read: (child: unknown) => Schema | boolean },
  ): unknown {
    switch (holds) {
      case 'schema':
        return read(value);
      case 'schemas':
        return (value as readonly unknown[]).map(read);
      case 'schemas-by-name':
        if (name === 'patternProperties')
          for (const pattern of Object.keys(value as JsonObject)) this.pattern(pattern);
        return Object.fromEntries(
          Object.entries(value as JsonObject).map(([key, child]) => [key, read(child)]),
        );
      case 'pattern':
        return this.pattern(value as string);
      case 'format':
        return this.format(value as string);
      case 'boolean':
        this.comparesItems ||= value === true;
        return value;
      default:
        return value;
    }
  }

  private pattern(text: string): string | undefined {
    const cost = patternCost(text);
    if (!cost || !isRegExp(text)) return this.refuse('a pattern is wrong or too costly') || undefined;
    this.costs.push(cost);
    return text;
  }

  private format(name: string): string | undefined {
    if (!CHECKED_FORMATS.has(name)) return undefined;
    this.costs.push(FORMAT_COST);
    return name;
  }
}

const isRegExp = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    // A pattern that does not compile is the agent's fault and refused with its schema.
    return false;
  }
};
