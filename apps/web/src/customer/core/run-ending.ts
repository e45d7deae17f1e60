/** Says how a run ended that did not end well, in the customer's terms. */
import type { AguiEvent } from '@triptych/protocol';

export type RunEnding =
  | { readonly kind: 'stopped' }
  /** `safe`: the hub knows that nothing was changed. Operators find the run by `ref`. */
  | { readonly kind: 'safe' | 'unclear'; readonly ref: string };

const REF_LENGTH = 8;

const isHubs = (code: unknown): boolean => typeof code === 'string' && code.startsWith('hub/');

/** Only the hub's own words are taken at their word: it alone knows what the run has touched. */
export const runEnding = ({ code, message }: AguiEvent, runId: string): RunEnding => {
  if (code === 'hub/cancelled') return { kind: 'stopped' };
  const words = isHubs(code) && typeof message === 'string' ? message : '';
  const ref = /Reference (\w+)/.exec(words)?.[1] ?? runId.slice(0, REF_LENGTH);
  return { kind: words.includes('Nothing was changed.') ? 'safe' : 'unclear', ref };
};
