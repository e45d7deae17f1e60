/** Says inline who, what and when, after an act was refused; never a dialog. */
import { Notice } from '../shared/notice.js';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import type { Attempt } from './core/conflict.js';
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
} as const;

const verbText = (verb: Attempt['verb']): (typeof VERBS)[keyof typeof VERBS] =>
  verb in VERBS ? VERBS[verb as keyof typeof VERBS] : 'r.verb.respond';

export const ConflictNotice = ({ attempt, now }: { attempt: Attempt; now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const { conflict, verb } = attempt;
  const name = 'by' in conflict && conflict.by ? nameOf(conflict.by) : t('r.conf.someone');
  switch (conflict.kind) {
    case 'decided': {
      const did = t(DID[conflict.decided ?? 'approved']);
      const ago = conflict.at === undefined ? '' : formats.ago(conflict.at, now);
      return (
        <Notice tone="info" icon="users">
          <p>{t('r.conf.decided', { name, did, ago, verb: t(verbText(verb)) })}</p>
        </Notice>
      );
    }
    case 'claimed':
      return (
        <Notice tone="info" icon="user">
          <p>{t('r.conf.claim', { name })}</p>
        </Notice>
      );
    case 'stale':
      return (
        <Notice tone="info" icon="refresh">
          <p>{t('r.conf.stale')}</p>
        </Notice>
      );
    case 'expired':
      return (
        <Notice icon="clock">
          <p>{t('r.conf.expired', { time: formats.when(conflict.at ?? now, now) })}</p>
        </Notice>
      );
    case 'invalid':
      return (
        <Notice tone="bad" icon="alert">
          <p>{t('r.conf.invalid', { why: conflict.why })}</p>
        </Notice>
      );
    case 'unrecorded':
      return (
        <Notice tone="bad" icon="server">
          <p>{t('r.store')}</p>
        </Notice>
      );
    case 'refused':
      return (
        <Notice tone="bad" icon="lock">
          <p>{t('r.conf.forbidden', { why: conflict.why })}</p>
        </Notice>
      );
  }
};
