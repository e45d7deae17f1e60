/** Verifies a trail against its checkpoints and the published keys, from wherever its parts are read. */
import type { JSONWebKeySet } from 'jose';
import type { Fault } from '../core/fault.js';
import { ChainCheck, type ChainVerdict } from '../core/verify-chain.js';
import { verifyCheckpoints } from '../core/verify-checkpoints.js';

export interface TrailToVerify {
  /** Records in the order in which they are found; undefined: something that is no record. */
  readonly records: AsyncIterable<readonly FoundRecord[]>;
  readonly checkpoints: AsyncIterable<string>;
  readonly jwks: JSONWebKeySet;
}

export type FoundRecord = { readonly text: string; readonly hash: string } | undefined;

const failed = (fault: Fault): ChainVerdict => ({ ok: false, fault });

const collected = async (lines: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

export const verifyTrail = async ({ records, checkpoints, jwks }: TrailToVerify): Promise<ChainVerdict> => {
  const checked = await verifyCheckpoints(await collected(checkpoints), jwks);
  const chain = new ChainCheck(checked.ok ? checked.checkpoints : []);
  for await (const some of records)
    for (const found of some) chain.take(found?.text ?? '', found?.hash ?? '');
  const verdict = chain.end();
  if (!verdict.ok) return verdict;
  if (!checked.ok) return failed(checked.fault);
  return verdict.records > 0 && verdict.covered === 0 ? failed({ why: 'no-checkpoint', seq: 1 }) : verdict;
};
