/** Turns the content of a bridges file into what is meant by it, or says what is wrong and where. */
import { shapeOf, type PlacedProblem } from '@triptych/access';
import type { z } from 'zod';
import { bridgesSchemaOf, type BridgesContent } from './bridges-schema.js';
import type { Destination } from './destination.js';
import { KINDS, type Kinds } from './kinds.js';

export type Route = BridgesContent['routes'][number];
/** A program that may bring decisions of linked people. */
export type DecisionKey = BridgesContent['keys'][number];

export interface Bridges extends Pick<BridgesContent, 'slack' | 'teams' | 'webhooks' | 'mail'> {
  readonly destinations: ReadonlyMap<string, Destination>;
  /** Every one that matches counts. */
  readonly routes: readonly Route[];
  readonly people: BridgesContent['people'];
  readonly keys: readonly DecisionKey[];
}

export type BridgesReading =
  | { readonly ok: true; readonly value: Bridges }
  | { readonly ok: false; readonly problems: readonly PlacedProblem[] };

type Environment = Readonly<Record<string, string | undefined>>;
type Path = PlacedProblem['path'];

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Values go into strings that were read, so that no value of a variable can add structure to the file. */
const substituted = (content: unknown, env: Environment): { value: unknown; problems: PlacedProblem[] } => {
  const problems: PlacedProblem[] = [];
  const walk = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, at) => walk(item, [...path, at]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, walk(each, [...path, key])]),
      );
    if (typeof value !== 'string') return value;
    return value.replace(VARIABLE, (whole, variable: string) => {
      const given = env[variable];
      if (given === undefined) problems.push({ path, message: `the variable ${variable} is not set` });
      return given ?? whole;
    });
  };
  return { value: walk(content, []), problems };
};

const keysOf = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key));

const schemaProblems = (issue: z.core.$ZodIssue): PlacedProblem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: [...keysOf(issue.path), key],
        message: 'is not a key of a bridges file',
      }))
    : [{ path: keysOf(issue.path), message: issue.message }];

/** Every name but the first of its kind, with where it stands. */
const repeated = (names: readonly { readonly name: string; readonly path: Path }[], what: string) => {
  const taken = new Set<string>();
  return names.flatMap(({ name, path }): PlacedProblem[] => {
    if (!taken.has(name)) return (taken.add(name), []);
    return [{ path, message: what }];
  });
};

const twiceNamed = ({ destinations, people, keys }: BridgesContent, kinds: Kinds): PlacedProblem[] => [
  ...repeated(
    destinations.map(({ id }, at) => ({ name: id, path: ['destinations', at, 'id'] })),
    'is the id of an earlier destination',
  ),
  // Where a person pressed is told by the address alone: two places there would be taken for each other.
  ...repeated(
    destinations.flatMap(({ kind, address }, at) =>
      kinds[kind]?.isHeard ? [{ name: `${kind} ${address}`, path: ['destinations', at, 'address'] }] : [],
    ),
    'is the address of an earlier destination',
  ),
  ...repeated(
    keys.map(({ id }, at) => ({ name: id, path: ['keys', at, 'id'] })),
    'is the id of an earlier key',
  ),
  ...repeated(
    people.map(({ tenant, subject }, at) => ({
      name: JSON.stringify([tenant, subject]),
      path: ['people', at, 'subject'],
    })),
    'is linked already: write all names of one person under one subject',
  ),
  // One name that means two people would let one of them vote twice.
  ...repeated(
    people.flatMap(({ linked }, at) =>
      linked.map(({ kind, id }, nth) => ({
        name: `${kind} ${id}`,
        path: ['people', at, 'linked', nth, 'id'],
      })),
    ),
    'is linked to an earlier person',
  ),
];

const misplaced = ({ destinations }: BridgesContent, kinds: Kinds): PlacedProblem[] =>
  destinations.flatMap((place, at): PlacedProblem[] => {
    const message = kinds[place.kind]?.objection?.(place as never);
    return message === undefined ? [] : [{ path: ['destinations', at, 'address'], message }];
  });

const lostRoutes = ({ destinations, routes }: BridgesContent): PlacedProblem[] => {
  const known = new Set(destinations.map(({ id }) => id));
  return routes.flatMap(({ to }, at) =>
    to.flatMap((id, nth): PlacedProblem[] =>
      known.has(id) ? [] : [{ path: ['routes', at, 'to', nth], message: `no destination is called "${id}"` }],
    ),
  );
};

const mutedRoutes = ({ destinations, routes }: BridgesContent, kinds: Kinds): PlacedProblem[] => {
  const tells = (id: string): boolean => {
    const place = destinations.find((each) => each.id === id);
    return place !== undefined && kinds[place.kind]?.tellsRuns?.(place as never) === true;
  };
  return routes.flatMap(({ to, progress }, at): PlacedProblem[] =>
    progress && !to.some(tells)
      ? [{ path: ['routes', at, 'progress'], message: 'leads to no chat in which runs can be told' }]
      : [],
  );
};

const destinationFrom = ({
  args,
  redact,
  ...place
}: BridgesContent['destinations'][number]): Destination => ({
  ...place,
  args: shapeOf(args, redact),
});

/** BRG-1: an unknown key, a bad value, a name that means two refuse the whole file. */
export const compileBridges = (content: unknown, env: Environment, kinds: Kinds = KINDS): BridgesReading => {
  const { value, problems: unset } = substituted(content ?? {}, env);
  if (unset.length > 0) return { ok: false, problems: unset };
  const read = bridgesSchemaOf(kinds).safeParse(value);
  if (!read.success) return { ok: false, problems: read.error.issues.flatMap(schemaProblems) };
  const problems = [twiceNamed, misplaced, lostRoutes, mutedRoutes].flatMap((find) => find(read.data, kinds));
  if (problems.length > 0) return { ok: false, problems };
  const { destinations, ...others } = read.data;
  const all = destinations.map(destinationFrom).map((each) => [each.id, each] as const);
  return { ok: true, value: { ...others, destinations: new Map(all) } };
};
