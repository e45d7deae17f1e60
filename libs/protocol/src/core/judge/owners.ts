/** Who owns what: the parent agent or a subagent, and by two accounts that must both be content. */
import type { Message } from '../agui.js';
import { violation, type Violation } from './violations.js';

/** The parent agent (undefined) or a subagent. */
export type Owner = string | undefined;

/** An id is unique within its kind only. */
export type EntityKind = 'message' | 'toolCall' | 'activity' | 'reasoning';

export interface Entity {
  readonly kind: EntityKind;
  readonly id: string;
  /** Where to look when there is none of that kind. */
  readonly orElse?: EntityKind;
}

export type Account = Readonly<Record<EntityKind, Map<string, Owner>>>;

export interface Owners {
  /** As whoever was there all along knows it: what opened an entity in this run owns it, also when it is closed. */
  readonly seen: Account;
  /** As whoever joins is told it by the snapshot of a prelude, which names owners of earlier runs too. */
  readonly told: Account;
}

const emptyAccount = (): Account => ({
  message: new Map(),
  toolCall: new Map(),
  activity: new Map(),
  reasoning: new Map(),
});

export const noOwners = (): Owners => ({ seen: emptyAccount(), told: emptyAccount() });

/** Readers forget at each RUN_STARTED whom they saw; what a snapshot tells outlasts the run. */
export const forgetSeen = ({ seen }: Owners): void => {
  for (const account of Object.values(seen)) account.clear();
};

export const ownerName = (owner: Owner): string =>
  owner === undefined ? 'the parent agent' : `subagent '${owner}'`;

export const isOwned = ({ seen, told }: Owners, { kind, id }: Entity): boolean =>
  seen[kind].has(id) || told[kind].has(id);

const holderOf = (account: Account, { kind, id, orElse }: Entity): Map<string, Owner> | undefined =>
  [account[kind], ...(orElse ? [account[orElse]] : [])].find((owners) => owners.has(id));

/** The account by which the entity belongs to another than the tag names; no tag agrees with every owner. */
export const ownerFault = (owners: Owners, entity: Entity, tag: Owner): Violation | undefined => {
  if (tag === undefined) return undefined;
  const { id } = entity;
  const holder = [owners.seen, owners.told]
    .map((account) => holderOf(account, entity))
    .find((held) => held !== undefined && held.get(id) !== tag);
  return (
    holder &&
    violation(
      'wrong-owner',
      `'${id}' belongs to ${ownerName(holder.get(id))}, not to ${ownerName(tag)}.`,
      '/subagentRunId',
    )
  );
};

export const claim = (account: Account, { kind, id }: Entity, owner: Owner): void => {
  if (!account[kind].has(id)) account[kind].set(id, owner);
};

/** The first to open an entity owns it. */
export const own = ({ seen, told }: Owners, entity: Entity, owner: Owner): void => {
  claim(seen, entity, owner);
  claim(told, entity, owner);
};

/** The message was made on the way; only a snapshot will name its owner. */
export const ownTold = ({ told }: Owners, entity: Entity, owner: Owner): void => claim(told, entity, owner);

/** Makes the entity anew, and so takes it over. */
export const takeOver = ({ seen, told }: Owners, { kind, id }: Entity, owner: Owner): void => {
  seen[kind].set(id, owner);
  told[kind].set(id, owner);
};

const kindOf = (role: string): EntityKind => (role === 'reasoning' || role === 'activity' ? role : 'message');

type Claim = (owners: Owners, entity: Entity, owner: Owner) => void;

/** Messages that are told whole have owners too, and their calls with them. */
export const ownMessages = (owners: Owners, messages: readonly Message[], how: Claim): void => {
  for (const message of messages) {
    how(owners, { kind: kindOf(message.role), id: message.id }, message.subagentRunId);
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? [])
      how(owners, { kind: 'toolCall', id: call.id }, message.subagentRunId);
  }
};
