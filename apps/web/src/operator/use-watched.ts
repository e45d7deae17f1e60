/** Fetches one thing and looks again every so often, for what no frame tells of. */
import { useEffect } from 'react';
import { useFetched } from '../shared/use-fetched.js';
import { useNow } from '../shared/use-now.js';

export const useWatched = <T>(path: string | undefined, everyMs: number) => {
  const watched = useFetched<T>(path);
  const { again } = watched;
  const turn = useNow(everyMs, path !== undefined);
  useEffect(again, [again, turn]);
  return watched;
};
