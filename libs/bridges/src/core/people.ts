/** Knows people by the names they have elsewhere: one person is one subject, by whichever door they come. */
import type { Actor, Passage, Role } from '@triptych/access';
import type { BridgeKind } from './destination.js';

/** A name that somebody has elsewhere, as its bridge writes it: `T0123:U0456` in Slack, an object id in Teams. */
export interface LinkedName {
  readonly kind: BridgeKind;
  readonly id: string;
}

export interface LinkedPerson {
  readonly subject: string;
  readonly tenant: string;
  readonly name?: string | undefined;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  readonly linked: readonly LinkedName[];
}

/** As long as a decision may take on its way; every call makes its actor anew. */
const ACTOR_MS = 300_000;

const keyOf = ({ kind, id }: LinkedName): string => `${kind} ${id}`;
const personKey = (tenant: string, subject: string): string => JSON.stringify([tenant, subject]);

export class People {
  private readonly byName: ReadonlyMap<string, LinkedPerson>;
  private readonly byPerson: ReadonlyMap<string, LinkedPerson>;

  /** `since`: when the links were made (Unix ms), so that whoever was revoked later stays out. */
  constructor(
    people: readonly LinkedPerson[],
    private readonly since: number,
  ) {
    this.byName = new Map(people.flatMap((person) => person.linked.map((name) => [keyOf(name), person])));
    this.byPerson = new Map(people.map((person) => [personKey(person.tenant, person.subject), person]));
  }

  /** undefined: nobody is linked to that name. */
  find(name: LinkedName): LinkedPerson | undefined {
    return this.byName.get(keyOf(name));
  }

  /** The person as a caller: with their own roles and groups, and nothing more. */
  actor(name: LinkedName, through: Passage, now: number): Actor | undefined {
    const person = this.find(name);
    if (!person) return undefined;
    const { subject, tenant, roles, groups, name: called } = person;
    const times = { issuedAt: this.since, expiresAt: now + ACTOR_MS };
    return { subject, tenant, roles, groups, ...(called ? { name: called } : {}), ...times, through };
  }

  nameOf(tenant: string, subject: string): string | undefined {
    return this.byPerson.get(personKey(tenant, subject))?.name;
  }

  /** The names that somebody has there; empty for whoever has none. */
  namesOf(tenant: string, subject: string, kind: BridgeKind): readonly string[] {
    const linked = this.byPerson.get(personKey(tenant, subject))?.linked ?? [];
    return linked.filter((name) => name.kind === kind).map(({ id }) => id);
  }

  /** Everybody of a tenant who has a name there. */
  those(tenant: string, kind: BridgeKind): readonly LinkedPerson[] {
    return [...this.byPerson.values()].filter(
      (person) => person.tenant === tenant && person.linked.some((name) => name.kind === kind),
    );
  }
}
