/** Who reads a thread right now, and how far behind. */
import { Icon } from '../../shared/icon.js';
import { nameOf } from '../../shared/personas.js';
import { useSurface } from '../../shared/surface-context.js';
import { useConsoleText } from '../texts.js';
import { useWatchText } from './texts.js';
import { useReaders, type ThreadReader } from './use-readers.js';

const KB = 1_024;

const Row = ({ reader }: { reader: ThreadReader }) => {
  const t = useWatchText();
  const c = useConsoleText();
  const { formats } = useSurface();
  const { who = '', surface, behind, unsentBytes, paused } = reader;
  return (
    <tr>
      <td className="w5">{nameOf(who)}</td>
      <td>{c(`o.surface.${surface}`)}</td>
      <td className="num">{t('w.readers.events', { n: formats.number(behind) })}</td>
      <td className="num">{t('w.readers.kb', { n: formats.number(Math.ceil(unsentBytes / KB)) })}</td>
      <td>
        <span className={paused ? 'st wait' : 'st ok'}>
          <Icon name={paused ? 'pause' : 'check'} />
          {t(paused ? 'w.readers.paused' : 'w.readers.flows')}
        </span>
      </td>
    </tr>
  );
};

export const ReadersLook = ({ threadId }: { threadId: string }) => {
  const t = useWatchText();
  const readers = useReaders(threadId, 'closely');
  if (readers === undefined) return null;
  if (readers.length === 0) {
    return (
      <div className="emptyx">
        <Icon name="eye" />
        <b>{t('w.readers.none')}</b>
      </div>
    );
  }
  return (
    <div className="held" tabIndex={0} role="region" aria-label={t('w.readers.note')}>
      <section>
        <p className="hint">{t('w.readers.note')}</p>
        <table className="grid-t">
          <thead>
            <tr>
              <th scope="col">{t('w.readers.who')}</th>
              <th scope="col">{t('w.readers.surface')}</th>
              <th scope="col" className="num">
                {t('w.readers.behind')}
              </th>
              <th scope="col" className="num">
                {t('w.readers.unsent')}
              </th>
              <th scope="col">{t('w.readers.state')}</th>
            </tr>
          </thead>
          <tbody>
            {readers.map((reader, index) => (
              <Row key={`${reader.who}/${reader.surface}/${index}`} reader={reader} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
};
