/** What an approval sets going, before it is given. */
import type { TaskView } from '@triptych/protocol';
import { useSurface } from '../shared/surface-context.js';
import { consequenceOf } from './core/consequence.js';
import { useDeskText } from './texts.js';

export const ConsequenceSection = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const next = consequenceOf(task);
  if (next === undefined) return null;
  const { tool, stake, votes, others } = next;
  const money = stake && formats.money(stake.value, stake.currency);
  const after = formats.sentences([
    money === undefined ? t('r.if.values') : t('r.if.values.money', { amount: money }),
    ...(votes > 0 ? [t('r.if.votes', { n: votes })] : []),
    ...(others > 0 ? [t('r.if.others', { n: others })] : []),
    t('r.if.told'),
  ]);
  return (
    <section className="sec o1" aria-labelledby="consequence">
      <h2 id="consequence">{t(task.may.includes('approve') ? 'r.if' : 'r.if.any')}</h2>
      <p className="if">
        {t('r.if.runs')} <code>{tool}</code>
        {after}
      </p>
    </section>
  );
};
