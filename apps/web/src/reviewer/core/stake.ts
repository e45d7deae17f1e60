/** Says what is at stake in a decision: whether it asks once more, what an edit made of the amount, and whether it decides. */
import { sameJson, type TaskView } from '@triptych/protocol';
import { fieldDiff } from './field-diff.js';
import { argsSchemaOf, valueRows, type Value, type ValueRow } from './values.js';

export type Money = Extract<Value, { kind: 'money' }>;

/** Above this an approval asks once more, with the amount in the button. */
export const LARGE_AMOUNT = 10_000;

const isMoney = (value: Value): value is Money => value.kind === 'money';
const moneyIn = (args: unknown): readonly Money[] =>
  (valueRows(args, undefined) ?? []).map((row) => row.value).filter(isMoney);

/** The money at stake, for the button that confirms. */
export const stakeOf = (args: unknown): Money | undefined => moneyIn(args)[0];

export const isWeighty = ({ quorum }: Pick<TaskView, 'quorum'>, args: unknown): boolean =>
  quorum.needed > 1 || moneyIn(args).some(({ value }) => value >= LARGE_AMOUNT);

type Voted = Pick<TaskView, 'quorum' | 'votes' | 'edit' | 'proposal'>;

/**
 * An edit counts as its editor's approval and voids those of the former version; one that restores what the
 * agent asked may find approvals of that version still counting.
 */
export const editDecides = ({ quorum, votes, edit, proposal }: Voted, args: unknown, me: string): boolean => {
  if (quorum.needed <= 1) return true;
  if (edit === undefined || !sameJson(args, proposal.args)) return false;
  const others = votes.filter(({ by, verb }) => verb === 'approve' && by !== me);
  return others.length + 1 >= quorum.needed;
};

export type Amended = { readonly approved: boolean } & (
  | { readonly kind: 'money'; readonly from: Money; readonly to: Money }
  | { readonly kind: 'fields'; readonly n: number }
);

type Decided = Pick<TaskView, 'proposal' | 'edit' | 'decision' | 'responseSchema'>;

/** Told as JSON, two values of a different kind never read the same. */
const exactly = ({ value }: ValueRow): string => JSON.stringify(value);

const changedMoney = (
  before: readonly ValueRow[],
  after: readonly ValueRow[],
  changed: readonly string[],
): { readonly from: Money; readonly to: Money } | undefined => {
  for (const key of changed) {
    const [from, to] = [before, after].map((rows) => rows.find((row) => row.key === key)?.value);
    if (from && to && isMoney(from) && isMoney(to)) return { from, to };
  }
  return undefined;
};

/** What an edit made of the proposal; nothing where it is as the agent asked, or was not approved. */
export const amendedIn = ({ proposal, edit, decision, responseSchema }: Decided): Amended | undefined => {
  const approved = decision?.kind === 'approved';
  if (decision !== undefined && !approved) return undefined;
  const schema = argsSchemaOf(responseSchema);
  const before = valueRows(proposal.args, schema);
  const after = valueRows(decision?.editedArgs ?? edit?.args, schema);
  if (before === undefined || after === undefined) return undefined;
  const changed = fieldDiff(before, after, exactly).changed.map(({ key }) => key);
  if (changed.length === 0) return undefined;
  const money = changedMoney(before, after, changed);
  return money === undefined
    ? { approved, kind: 'fields', n: changed.length }
    : { approved, kind: 'money', ...money };
};
