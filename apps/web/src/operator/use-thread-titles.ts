/** Calls each thread by what was said first: looked up one after the other, newest first, kept while the page lives. */
import type { ThreadSummary } from '@triptych/protocol';
import { useEffect, useState } from 'react';
import { useSurface } from '../shared/surface-context.js';
import type { LogPage } from './core/log-book.js';
import { threadTitle } from './core/thread-title.js';

export type ThreadTitles = ReadonlyMap<string, string | undefined>;

/** More than a person scrolls through; older ones go by their agent. */
const MAX_LOOKED_UP = 60;
/** A run's beginning is the first thing a thread holds. */
const FIRST_ENTRIES = 2;

const NONE: ThreadTitles = new Map();

export const useThreadTitles = (threads: readonly ThreadSummary[]): ThreadTitles => {
  const { api } = useSurface();
  const [titles, setTitles] = useState(NONE);
  const unnamed = threads.slice(0, MAX_LOOKED_UP).find(({ threadId }) => !titles.has(threadId))?.threadId;
  useEffect(() => {
    if (unnamed === undefined) return undefined;
    let wanted = true;
    const path = `/v1/threads/${encodeURIComponent(unnamed)}/log?after=0&limit=${FIRST_ENTRIES}`;
    void api.get<LogPage>(path).then((answer) => {
      const title = answer.ok ? threadTitle(answer.value.items) : undefined;
      if (wanted) setTitles((old) => new Map(old).set(unnamed, title));
    });
    return () => {
      wanted = false;
    };
  }, [api, unnamed]);
  return titles;
};
