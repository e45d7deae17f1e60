/** The looks beside the log: the code of each comes when it is first looked at. */
import { lazy } from 'react';

export const RunsLook = lazy(() =>
  import('./runs/runs-look.js').then((page) => ({ default: page.RunsLook })),
);
export const SawLook = lazy(() => import('./saw/saw-look.js').then((page) => ({ default: page.SawLook })));
export const StateLook = lazy(() =>
  import('./past/state-look.js').then((page) => ({ default: page.StateLook })),
);
export const FindingsLook = lazy(() =>
  import('./watch/findings-look.js').then((page) => ({ default: page.FindingsLook })),
);
export const ReadersLook = lazy(() =>
  import('./watch/readers-look.js').then((page) => ({ default: page.ReadersLook })),
);
