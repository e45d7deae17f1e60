/** The words and the glyph of what became of a task. */
import type { IconName } from '../shared/icon.js';
import type { Fate } from './core/fate.js';
import type { DeskText } from './texts.js';

export interface FateWords {
  readonly text: string;
  readonly tone: 'ok' | 'wait' | 'bad' | 'live' | '';
  readonly icon: IconName;
}

const GOING = { approved: 'r.going', rejected: 'r.going.rejected', responded: 'r.going.responded' } as const;
const DONE = {
  approved: 'r.done.approved',
  rejected: 'r.done.rejected',
  responded: 'r.done.responded',
} as const;

export const fateWords = (fate: Fate, t: DeskText): FateWords | undefined => {
  switch (fate.kind) {
    case 'open':
    case 'held':
      return undefined;
    case 'waiting':
      return { text: t('r.waiting.others', { n: fate.others }), tone: 'wait', icon: 'hourglass' };
    case 'going':
      return { text: t(GOING[fate.decided]), tone: 'live', icon: 'refresh' };
    case 'done':
      return {
        text: t(DONE[fate.decided]),
        tone: fate.decided === 'rejected' ? '' : 'ok',
        icon: fate.decided === 'rejected' ? 'x' : 'check',
      };
    case 'cancelled':
      return { text: t('r.cancelled'), tone: '', icon: 'x' };
    case 'expired':
      return { text: t('r.expired'), tone: '', icon: 'lock' };
    case 'superseded':
      return { text: t('r.superseded'), tone: '', icon: 'refresh' };
    case 'unknown':
      return { text: t('r.unknown'), tone: 'bad', icon: 'ask' };
    case 'failed':
      return { text: t('r.failed'), tone: 'bad', icon: 'alert' };
  }
};
