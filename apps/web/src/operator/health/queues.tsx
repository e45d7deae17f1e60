/** What waits in each queue, and for how long. */
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { useNow } from '../../shared/use-now.js';
import { useHealthText } from './texts.js';

export interface QueueStanding {
  readonly queue: string;
  readonly waiting: number;
  readonly later: number;
  readonly failed: number;
  /** Since when the one that waits longest does; Unix milliseconds. */
  readonly oldestAt?: number;
}

const NAMED = ['hub-timer', 'hub-resume', 'hub-notify'] as const;
const SECOND = 1_000;

export const Queues = ({ queues }: { queues: readonly QueueStanding[] }) => {
  const t = useHealthText();
  const { formats } = useSurface();
  const now = useNow(SECOND);
  return (
    <section>
      <h2>{t('h.queues')}</h2>
      <p className="lead">{t('h.queues.lead')}</p>
      <table className="grid-t">
        <thead>
          <tr>
            <th scope="col">{t('h.queue')}</th>
            {(['now', 'later', 'oldest', 'failed'] as const).map((name) => (
              <th key={name} scope="col" className="num">
                {t(`h.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map(({ queue, waiting, later, failed, oldestAt }) => {
            const known = NAMED.find((name) => name === queue);
            return (
              <tr key={queue}>
                <td className="w5">{known ? t(`h.queue.${known}`) : queue}</td>
                <td className="num">{formats.number(waiting)}</td>
                <td className="num">{formats.number(later)}</td>
                <td className="num">
                  {oldestAt === undefined ? '–' : formats.span(Math.max(0, now - oldestAt))}
                </td>
                <td className="num">
                  {failed > 0 ? (
                    <span className="st bad">
                      <Icon name="alert" />
                      {formats.number(failed)}
                    </span>
                  ) : (
                    formats.number(0)
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};
