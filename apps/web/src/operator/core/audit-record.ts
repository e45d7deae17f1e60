/** What the hub tells of its sealed trail, and which of it is asked for. */
export interface AuditRecord {
  readonly seq: number;
  readonly at: number;
  readonly tenant: string;
  readonly actor: { readonly id: string; readonly role?: string; readonly via: string };
  readonly action: string;
  readonly subject: Readonly<Partial<Record<SubjectPart, string>>>;
  readonly before?: Members;
  readonly after?: Members;
  readonly proposalHash?: string;
  readonly payloadHash?: string;
  readonly policyId?: string;
  readonly requestId?: string;
  readonly ip?: string;
  readonly ua?: string;
  readonly erased?: true;
  readonly damaged?: true;
  readonly hash: string;
}

/** Where a record should be and is none. */
export interface AuditHole {
  readonly seq: number;
  readonly hole: true;
  readonly at?: number;
}

export type AuditItem = AuditRecord | AuditHole;

type Members = Readonly<Record<string, unknown>>;

export const SUBJECT_PARTS = ['thread', 'task', 'run', 'batch', 'interrupt', 'toolCall'] as const;
export type SubjectPart = (typeof SUBJECT_PARTS)[number];

export const isHole = (item: AuditItem): item is AuditHole => 'hole' in item;

/** What is filtered by, by its name in the address. */
export const FILTERS = ['who', 'did', 'inThread', 'onTask', 'since', 'until'] as const;
export type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

const NAMES = { who: 'actor', did: 'action', inThread: 'thread', onTask: 'task' } as const;

/** A time as its field gives it: of the reader's own zone, to the minute. */
const momentOf = (text: string | undefined): number | undefined => {
  const at = text === undefined ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(at) ? undefined : at;
};
const MINUTE = 60_000;

/** The minute that is named last is meant whole. */
export const askFor = (filters: Filters): URLSearchParams => {
  const params = new URLSearchParams();
  for (const [field, name] of Object.entries(NAMES)) {
    const value = filters[field as keyof typeof NAMES]?.trim();
    if (value) params.set(name, value);
  }
  const [from, to] = [momentOf(filters.since), momentOf(filters.until)];
  if (from !== undefined) params.set('from', String(from));
  if (to !== undefined) params.set('to', String(to + MINUTE - 1));
  return params;
};

export interface ChangedField {
  readonly name: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** On one line as long as it can be read there. */
const LINE = 60;

const textOf = (value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  const line = JSON.stringify(value);
  return line.length <= LINE ? line : JSON.stringify(value, null, 1);
};

/** The members of what was and of what is, side by side. */
export const changesOf = ({ before = {}, after = {} }: AuditRecord): readonly ChangedField[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    was: textOf(before[name]),
    is: textOf(after[name]),
  }));
