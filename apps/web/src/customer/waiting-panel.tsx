/** Says who is looking at the request, since when, how long it takes, and that it is safe to leave. */
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { useNow } from '../shared/use-now.js';
import { AskedFor } from './asked-for.js';
import { serviceHours, type ServiceHours } from './core/service-hours.js';
import type { HeldCall } from './core/turns.js';
import { isLate, type Hold } from './core/waiting.js';
import { useCustomerText } from './texts.js';

const MINUTE = 60_000;

const useOpening = () => {
  const { formats, language } = useSurface();
  return (opensAt: number): { day: string; open: string } => ({
    day: new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'long' }).format(opensAt),
    open: formats.time(opensAt),
  });
};

/** Only what is known is said; a promise that can no longer be kept is taken back. */
const useHoldWords = (hold: Hold, hours: ServiceHours | undefined, now: number): string => {
  const t = useCustomerText();
  const { formats } = useSurface();
  const opening = useOpening();
  const sentences: string[] = [];
  if (hold.sentAt !== undefined) {
    const time = formats.when(hold.sentAt, now);
    const fresh = now - hold.sentAt < MINUTE;
    sentences.push(
      fresh ? t('c.hold.sent.now', { time }) : t('c.hold.sent', { time, ago: formats.ago(hold.sentAt, now) }),
    );
  }
  if (isLate(hold, now)) return formats.sentences([...sentences, t('c.hold.late')]);
  if (hours?.state === 'closed')
    return formats.sentences([...sentences, t('c.hold.closed', opening(hours.opensAt))]);
  if (hold.usualMs !== undefined)
    sentences.push(t('c.hold.usual', { usual: formats.spanLong(hold.usualMs) }));
  if (hours?.state === 'open') sentences.push(t('c.hold.until', { close: formats.time(hours.until) }));
  return formats.sentences(sentences);
};

interface WaitingPanelProps {
  readonly hold: Hold;
  readonly calls: readonly HeldCall[];
}

export const WaitingPanel = ({ hold, calls }: WaitingPanelProps) => {
  const t = useCustomerText();
  const now = useNow(MINUTE);
  const hours = hold.hours === undefined ? undefined : serviceHours(hold.hours, now);
  const words = useHoldWords(hold, hours, now);
  const opening = useOpening();
  return (
    <section className="hold" aria-labelledby="hold-title" data-whole>
      <div className="top">
        <span className="dot">
          <Icon name={isLate(hold, now) ? 'clock' : 'hourglass'} />
        </span>
        <div>
          <h2 id="hold-title">{t('c.hold')}</h2>
          {hold.text && <p>{hold.text}</p>}
          {words && <p>{words}</p>}
        </div>
      </div>
      <div className="body">
        <div>
          <h3>{t('c.hold.next')}</h3>
          <ol className="next">
            <li className="now">
              {t('c.hold.next.read')}
              <small>
                {hours?.state === 'closed'
                  ? t('c.hold.next.from', opening(hours.opensAt))
                  : t('c.hold.next.now')}
              </small>
            </li>
            <li>{t('c.hold.next.answer')}</li>
            <li>{t('c.hold.next.yes')}</li>
          </ol>
        </div>
        <AskedFor calls={calls} of={hold.ref} />
      </div>
    </section>
  );
};
