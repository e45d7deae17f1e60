/** Judges whether a Redis may hold the log: refuses what cannot work, warns of what may lose data. */
export interface StoreFacts {
  /** The text of `INFO server`. */
  readonly info: string;
  /** Absent where `CONFIG GET` is not allowed. */
  readonly maxmemoryPolicy?: string;
  readonly appendonly?: string;
}

export type StoreCheck =
  | { readonly usable: true; readonly embedded: boolean; readonly warnings: readonly string[] }
  | { readonly usable: false; readonly reason: string };

/** Sharded pub/sub inside scripts came with 7.0. */
const OLDEST_MAJOR = 7;
const EMBEDDED_MARK = /^os:mocked redis/m;

const warningsOf = (facts: StoreFacts, embedded: boolean): string[] => {
  if (embedded) {
    return ['This is the embedded Redis: memory with a snapshot every second, for trying out only.'];
  }
  const warnings: string[] = [];
  if (facts.maxmemoryPolicy === undefined || facts.appendonly === undefined) {
    warnings.push('CONFIG GET is not allowed: make sure of maxmemory-policy noeviction and appendonly yes.');
  }
  if (facts.maxmemoryPolicy !== undefined && facts.maxmemoryPolicy !== 'noeviction') {
    warnings.push(`maxmemory-policy is ${facts.maxmemoryPolicy}: logs may be evicted; set it to noeviction.`);
  }
  if (facts.appendonly === 'no') {
    warnings.push('appendonly is off: accepted events are lost when Redis dies; set appendonly yes.');
  }
  return warnings;
};

export const judgeStore = (facts: StoreFacts): StoreCheck => {
  const embedded = EMBEDDED_MARK.test(facts.info);
  const version = /^redis_version:(\S+)/m.exec(facts.info)?.[1] ?? 'unknown';
  if (!embedded && !(Number.parseInt(version, 10) >= OLDEST_MAJOR)) {
    return { usable: false, reason: `Redis ${version} is too old: ${OLDEST_MAJOR}.0 or newer is needed.` };
  }
  return { usable: true, embedded, warnings: warningsOf(facts, embedded) };
};
