/** Makes of two rulings on one question the one that satisfies both: a policy that asks for more counts at once, one that asks for less never does. */
import { sameJson } from '@triptych/protocol';
import type { ArgumentTests, ValueTest } from './argument-test.js';
import type { Handling } from './policy.js';
import type { Ruling } from './ruling.js';

const union = <T>(...lists: readonly (readonly T[])[]): readonly T[] => [...new Set(lists.flat())];

/** Empty is everybody. Where no group is left in both, those count that are asked now: a question nobody may answer helps nobody. */
const commonGroups = (was: readonly string[], is: readonly string[]): readonly string[] => {
  if (was.length === 0 || is.length === 0) return was.length === 0 ? is : was;
  const both = is.filter((group) => was.includes(group));
  return both.length > 0 ? both : is;
};

const LEAST: readonly (keyof ValueTest)[] = ['gt', 'gte'];
const MOST: readonly (keyof ValueTest)[] = ['lt', 'lte'];

/** Two limits of a kind on one value are as one where they are numbers; else the newer one counts. */
const bothTests = (was: ValueTest, is: ValueTest): ValueTest => {
  const bound = (kind: keyof ValueTest, pick: (a: number, b: number) => number): ValueTest => {
    const [before, now] = [was[kind], is[kind]];
    return typeof before === 'number' && typeof now === 'number' ? { [kind]: pick(before, now) } : {};
  };
  const least = LEAST.map((kind) => bound(kind, Math.max));
  const most = MOST.map((kind) => bound(kind, Math.min));
  return Object.assign({}, was, is, ...least, ...most) as ValueTest;
};

const bothArguments = (was: ArgumentTests = {}, is: ArgumentTests = {}): ArgumentTests =>
  Object.fromEntries(
    union(Object.keys(was), Object.keys(is)).map((pointer) => [
      pointer,
      bothTests(was[pointer] ?? {}, is[pointer] ?? {}),
    ]),
  );

const bothLimits = (was: Handling['limits'], is: Handling['limits']): Handling['limits'] =>
  Object.fromEntries(
    union(Object.keys(was), Object.keys(is)).map((role) => [role, bothArguments(was[role], is[role])]),
  );

const joined = (was: Ruling, is: Ruling): Ruling => ({
  ...is,
  audience: 'reviewer',
  approvable: was.approvable && is.approvable,
  groups: commonGroups(was.groups, is.groups),
  quorum: Math.max(was.quorum, is.quorum),
  distinctGroups: was.distinctGroups || is.distinctGroups,
  forbid: union(was.forbid, is.forbid),
  limits: bothLimits(was.limits, is.limits),
  reasonRequired: union(was.reasonRequired, is.reasonRequired),
  chat: was.chat && is.chat,
  undoMs: Math.max(was.undoMs, is.undoMs),
  ttlMs: Math.min(was.ttlMs, is.ttlMs),
  onAllExpired: was.onAllExpired === 'hold' ? 'hold' : is.onAllExpired,
});

/** What decides whose answers count, and how many it takes. */
const whoseOf = ({ audience, approvable, groups, quorum, distinctGroups, forbid, limits }: Ruling) => ({
  ...{ audience, approvable, quorum, distinctGroups, limits },
  groups: groups.toSorted(),
  forbid: forbid.toSorted(),
});

/** `was` itself where `is` asks for nothing more. */
export const stricterOf = (was: Ruling, is: Ruling): Ruling => {
  if (is.audience === 'customer') return was;
  const both = was.audience === 'customer' ? is : joined(was, is);
  return sameJson(whoseOf(both), whoseOf(was)) ? was : both;
};
