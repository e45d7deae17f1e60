/** What was read, what was made of it, and what stands there now: until its author says what stays, nothing is sent. */
import type { TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { Notice } from '../shared/notice.js';
import { firstNameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { rowsOf } from './core/current.js';
import { threeRows } from './core/three-way.js';
import { useDeskText } from './texts.js';
import { valueWords, VisibleText } from './value-text.js';

interface ThreeWayProps {
  readonly task: TaskView;
  readonly was: unknown;
  readonly yours: unknown;
  readonly now: unknown;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

const COLUMNS = ['was', 'yours', 'now'] as const;

export const ThreeWayView = ({ task, was, yours, now, onKeep, onTake }: ThreeWayProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const [before, mine, theirs] = [was, yours, now].map((args) => rowsOf(task, args) ?? []);
  const three = { was: before ?? [], yours: mine ?? [], now: theirs ?? [] };
  const rows = threeRows(three, (row) => valueWords(row.value, formats, t));
  const name = task.edit ? firstNameOf(task.edit.by) : t('r.conf.someone');
  return (
    <div className="three">
      <div role="status">
        <Notice tone="wait" icon="users">
          <p>{t('r.three.why', { name })}</p>
        </Notice>
      </div>
      <div className="three-scroll">
        <table>
          <thead>
            <tr>
              <td />
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(`r.three.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className={row.clash ? 'clash' : undefined}>
                <th scope="row">
                  {row.label}
                  {row.clash && (
                    <span className="st wait">
                      <Icon name="alert" />
                      {t('r.three.both')}
                    </span>
                  )}
                </th>
                {COLUMNS.map((column) => (
                  <td key={column} className={row[column] === row.was ? undefined : 'moved'}>
                    <bdi>
                      <VisibleText text={row[column] || '–'} />
                    </bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        <button type="button" className="btn" onClick={onKeep}>
          {t('r.three.keep')}
        </button>
        <button type="button" className="btn ghost" onClick={onTake}>
          {t('r.three.take')}
        </button>
      </div>
    </div>
  );
};
