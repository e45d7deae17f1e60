/** Knows people by the names they have elsewhere: one person is one subject, by whichever door they come. */
import type { LinkedPerson } from '@triptych/access';
import type { BridgeKind } from './destination.js';

/** A name that somebody has elsewhere, as its bridge writes it: `T0123:U0456` in Slack, an object id in Teams. */
export interface LinkedName {
  readonly kind: BridgeKind;
  readonly id: string;
}

/** A person with all the names they have. */
export interface NamedPerson extends LinkedPerson {
  readonly linked: readonly LinkedName[];
}

const keyOf = ({ kind, id }: LinkedName): string => `${kind} ${id}`;
const personKey = (tenant: string, subject: string): string => JSON.stringify([tenant, subject]);

export class People {
  private readonly byName: ReadonlyMap<string, NamedPerson>;
  private readonly byPerson: ReadonlyMap<string, NamedPerson>;

  constructor(people: readonly NamedPerson[]) {
    this.byName = new Map(people.flatMap((person) => person.linked.map((name) => [keyOf(name), person])));
    this.byPerson = new Map(people.map((person) => [personKey(person.tenant, person.subject), person]));
  }

  /** undefined: nobody is linked to that name. */
  find(name: LinkedName): NamedPerson | undefined {
    return this.byName.get(keyOf(name));
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
  those(tenant: string, kind: BridgeKind): readonly NamedPerson[] {
    return [...this.byPerson.values()].filter(
      (person) => person.tenant === tenant && person.linked.some((name) => name.kind === kind),
    );
  }
}
