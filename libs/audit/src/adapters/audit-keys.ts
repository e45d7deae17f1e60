/** Names the Redis keys of a tenant's sealed trail; one hash tag, because one script writes them. */
const ofTrail = (tenant: string, part: string): string => `tt:trail:{${encodeURIComponent(tenant)}}:${part}`;

export const auditKeys = (tenant: string) => ({
  /** Stream: record `seq` has the id `<seq>-0`; fields r text, h hash, t when it was sealed (ms). */
  chain: ofTrail(tenant, 'chain'),
  /** Hash: seq and hash of the last record, and the last checkpoint (c). */
  head: ofTrail(tenant, 'head'),
  /** Hash: the last sealed id of each source that may still hold it. */
  marks: ofTrail(tenant, 'marks'),
  /** Text: who is the writer now. */
  lead: ofTrail(tenant, 'lead'),
  /** Stream: checkpoint n has the id `<n>-0`; field c its line. */
  checkpoints: ofTrail(tenant, 'checkpoints'),
  /** Hash: s:<subject> → id of its key, k:<id> → its secret. */
  keys: ofTrail(tenant, 'keys'),
});
