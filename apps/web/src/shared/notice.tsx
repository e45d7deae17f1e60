/** A message that stays where the work is; never a toast for something a person must know. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

export type NoticeTone = 'plain' | 'info' | 'ok' | 'wait' | 'bad';

interface NoticeProps {
  readonly tone?: NoticeTone;
  readonly icon: IconName;
  readonly children: ReactNode;
}

export const Notice = ({ tone = 'plain', icon, children }: NoticeProps) => (
  <div className={tone === 'plain' ? 'notice' : `notice ${tone}`}>
    <Icon name={icon} />
    <div className="grow">{children}</div>
  </div>
);
