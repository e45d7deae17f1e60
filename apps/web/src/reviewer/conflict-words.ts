/** The words of a refused act: who, what and when. */
import { useCallback } from 'react';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { isSameDecision, type Attempt } from './core/conflict.js';
import { useDeskText } from './texts.js';

const DID = {
  approved: 'r.did.approve',
  rejected: 'r.did.reject',
  responded: 'r.did.respond',
  cancelled: 'r.did.cancel',
  expired: 'r.did.expire',
} as const;
const VERBS = {
  approve: 'r.verb.approve',
  reject: 'r.verb.reject',
  respond: 'r.verb.respond',
  cancel: 'r.verb.cancel',
  edit: 'r.verb.edit',
} as const;

const verbText = (verb: Attempt['verb']): (typeof VERBS)[keyof typeof VERBS] =>
  verb in VERBS ? VERBS[verb as keyof typeof VERBS] : 'r.verb.respond';

export const useConflictWords = (): ((attempt: Attempt, now: number) => string) => {
  const t = useDeskText();
  const { formats } = useSurface();
  return useCallback(
    (attempt, now) => {
      const { conflict, verb } = attempt;
      const name = 'by' in conflict && conflict.by ? nameOf(conflict.by) : t('r.conf.someone');
      switch (conflict.kind) {
        case 'decided': {
          const did = t(DID[conflict.decided ?? 'approved']);
          const ago = conflict.at === undefined ? '' : formats.ago(conflict.at, now);
          const words = { name, did, ago, verb: t(verbText(verb)) };
          return t(isSameDecision(attempt) ? 'r.conf.same' : 'r.conf.decided', words);
        }
        case 'claimed':
          return t('r.conf.claim', { name });
        case 'stale':
          return t('r.conf.stale');
        case 'expired':
          return t('r.conf.expired', { time: formats.when(conflict.at ?? now, now) });
        case 'invalid':
          return t('r.conf.invalid', { why: conflict.why });
        case 'unrecorded':
          return t('r.store');
        case 'refused':
          return t('r.conf.forbidden', { why: conflict.why });
      }
    },
    [t, formats],
  );
};
