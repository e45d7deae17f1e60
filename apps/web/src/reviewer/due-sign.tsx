/** A deadline by glyph and word, never by colour alone. */
import type { TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { dueOf } from './core/task-words.js';
import { useDeskText } from './texts.js';

export const DueSign = ({ task, now }: { task: TaskView; now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const due = dueOf(task, now);
  if (due.kind === 'none') return <span />;
  const span = formats.span(due.ms);
  if (due.kind === 'later') return <span className="st">{t('r.due.left', { t: span })}</span>;
  return (
    <span className={due.kind === 'soon' ? 'st wait' : 'st bad'}>
      <Icon name={due.kind === 'soon' ? 'clock' : 'alert'} />
      {due.kind === 'soon' ? t('r.due.left', { t: span }) : t('r.over', { t: span })}
    </span>
  );
};

/** The same in words, for what is spoken. */
export const useDueWords = (): ((task: TaskView, now: number) => string) => {
  const t = useDeskText();
  const { formats } = useSurface();
  return (task, now) => {
    const due = dueOf(task, now);
    if (due.kind === 'none') return t('r.section.none');
    const span = formats.span(due.ms);
    return due.kind === 'over' ? t('r.over', { t: span }) : t('r.due', { t: span });
  };
};
