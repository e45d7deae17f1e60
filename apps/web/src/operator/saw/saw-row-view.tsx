/** One row: what came, and what became of it on each surface. */
import { memo } from 'react';
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo } from '../../shared/url-state.js';
import type { Family } from '../core/families.js';
import { toldBy, type Told } from '../core/told-events.js';
import { LESSER, type Lesser, type SawRow } from '../core/saw-rows.js';
import { useConsoleText } from '../texts.js';
import { useSawText } from './texts.js';
import { ToldView } from './told-view.js';

const WHY_HIDDEN: Readonly<Partial<Record<Family, 'tool' | 'state' | 'agent' | 'other'>>> = {
  tool: 'tool',
  state: 'state',
  agent: 'agent',
  other: 'other',
};

/** A placeholder says what it stands for. */
const saysItself = (told: Told): boolean => told.kind === 'question' && told.awaits;

const Cell = ({ row, surface }: { row: SawRow; surface: Lesser }) => {
  const t = useConsoleText();
  const s = useSawText();
  const events = row.shown[surface];
  const why = WHY_HIDDEN[row.family];
  const isLater = row.seen[surface] !== 'hidden';
  return (
    <div role="cell" className={events.length === 0 ? 'hid' : undefined}>
      <span className="pj-as">{t(`o.surface.${surface}`)}</span>
      {events.length === 0 ? (
        <p className="pj-hid">
          <Icon name="eyeoff" />
          <span>{isLater ? s('s.later') : why ? s(`s.hidden.${why}`) : s('s.hidden')}</span>
        </p>
      ) : (
        <>
          <ToldView events={events} />
          {row.seen[surface] === 'redacted' && !toldBy(events).some(saysItself) && (
            <p className="pj-hid">
              <Icon name="eyeoff" />
              <span>{s('s.part')}</span>
            </p>
          )}
        </>
      )}
    </div>
  );
};

export const SawRowView = memo(({ row, picked }: { row: SawRow; picked: boolean }) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const { from, to, name, family, pieces, came } = row;
  return (
    <div className={picked ? 'pj-row sel' : 'pj-row'} role="row">
      <div className="sq" role="rowheader">
        <button type="button" className="btn link" onClick={() => goTo({ seq: String(from) }, 'replace')}>
          {formats.number(from)}
        </button>
        {to > from && <span>– {formats.number(to)}</span>}
      </div>
      <div role="cell">
        <span className="pj-as">{t('o.surface.operator')}</span>
        <p className={`ty c-${family}`}>
          {name}
          {pieces > 1 && ` ×${pieces}`}
        </p>
        <ToldView events={came} />
      </div>
      {LESSER.map((surface) => (
        <Cell key={surface} row={row} surface={surface} />
      ))}
    </div>
  );
});
