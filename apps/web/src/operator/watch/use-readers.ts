/** Who reads a thread on the hub that answers. */
import type { Surface } from '@triptych/protocol';
import type { Page } from '../../shared/hub-api.js';
import { useLast } from '../past/use-settled.js';
import { useWatched } from '../use-watched.js';

export interface ThreadReader {
  readonly who?: string;
  readonly surface: Surface;
  /** Events. */
  readonly behind: number;
  readonly unsentBytes: number;
  readonly paused: boolean;
}

const EVERY_MS = { closely: 2_000, aside: 10_000 } as const;

/** Undefined until they are known. */
export const useReaders = (
  threadId: string,
  how: keyof typeof EVERY_MS,
): readonly ThreadReader[] | undefined => {
  const path = `/v1/threads/${encodeURIComponent(threadId)}/subscribers`;
  return useLast(useWatched<Page<ThreadReader>>(path, EVERY_MS[how]).fetched)?.items;
};

export const worstLag = (readers: readonly ThreadReader[]): number =>
  Math.max(0, ...readers.map(({ behind }) => behind));
