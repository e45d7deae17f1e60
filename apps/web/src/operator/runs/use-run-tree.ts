/** The tree of the run that is looked at, put together from what the hub tells and what the log says of its calls. */
import { useEffect, useMemo } from 'react';
import { useUrlParam } from '../../shared/url-state.js';
import { useFetched } from '../../shared/use-fetched.js';
import type { LogBook } from '../core/log-book.js';
import { runTree, type RunNode, type ToldBranch } from '../core/run-tree.js';
import { rootRuns, runsIn, toolUses, type BegunRun } from '../core/tool-uses.js';
import { useLast, useSettled } from '../past/use-settled.js';

/** A run that streams is looked at anew at most so often. */
const LOOK_AGAIN_MS = 1_000;

export interface RunTreeTools {
  /** Newest last. */
  readonly runs: readonly BegunRun[];
  readonly picked: string | undefined;
  readonly root: RunNode | undefined;
  /** Its beginning was trimmed. */
  readonly gone: boolean;
}

/** `agentId`: what the run is called by. */
export const useRunTree = (threadId: string, agentId: string, book: LogBook): RunTreeTools => {
  const named = useUrlParam('run');
  const all = useMemo(() => runsIn(book), [book]);
  const runs = useMemo(() => rootRuns(all), [all]);
  const picked = runs.find(({ runId }) => runId === named)?.runId ?? runs.at(-1)?.runId;
  const path =
    picked === undefined
      ? undefined
      : `/v1/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(picked)}/tree`;
  const { fetched, again } = useFetched<ToldBranch>(path);
  const head = useSettled(book.stored.at(-1)?.seq ?? 0, LOOK_AGAIN_MS);
  useEffect(again, [again, head]);
  const told = useLast(fetched);
  const root = useMemo(() => {
    if (told === undefined || told.runId !== picked) return undefined;
    const last = all.at(-1)?.runId;
    return runTree(told, { name: agentId, uses: toolUses(book), wentOn: (runId) => runId !== last });
  }, [told, picked, all, agentId, book]);
  return { runs, picked, root, gone: fetched.state === 'refused' && fetched.refusal.code === 'EXPIRED' };
};
