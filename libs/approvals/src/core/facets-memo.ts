/** Keeps what was counted for people of the same rights until something changes: two hundred readers ask alike. */
import type { Actor } from '@triptych/access';
import type { FacetCount } from './inbox-facets.js';
import { areReaders } from './matter.js';

/** Time alone makes tasks due: nothing is kept for longer, ms. */
const KEPT_MS = 5_000;
const MAX_TENANTS = 1_000;
const MAX_RIGHTS = 100;

interface Kept {
  readonly until: number;
  readonly count: FacetCount;
}

/** Whoever may read what is put to its owner reads by who they are: to all others it is one who asks. */
const rightsOf = (actor: Actor): string => {
  const { tenant, roles, groups, subject } = actor;
  const own = { tenant, owner: subject, audience: 'customer', groups: [], approvable: true } as const;
  return JSON.stringify([roles, groups, areReaders(own, actor) ? subject : '']);
};

/** Of one tenant, since something of it was heard last. */
export class TenantFacets {
  private readonly kept = new Map<string, Kept>();

  get(actor: Actor, now: number): FacetCount | undefined {
    const found = this.kept.get(rightsOf(actor));
    return found && now < found.until ? found.count : undefined;
  }

  put(actor: Actor, now: number, count: FacetCount): void {
    if (this.kept.size >= MAX_RIGHTS) this.kept.clear();
    this.kept.set(rightsOf(actor), { until: now + KEPT_MS, count });
  }
}

export class FacetsMemo {
  private readonly tenants = new Map<string, TenantFacets>();

  /** What is counted while something is heard is put where nobody looks any more. */
  of(tenant: string): TenantFacets {
    const found = this.tenants.get(tenant);
    if (found) return found;
    if (this.tenants.size >= MAX_TENANTS) this.tenants.clear();
    const facets = new TenantFacets();
    this.tenants.set(tenant, facets);
    return facets;
  }

  heard(tenant: string): void {
    this.tenants.delete(tenant);
  }

  clear(): void {
    this.tenants.clear();
  }
}
