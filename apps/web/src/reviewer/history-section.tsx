/** What happened to the task so far, newest first. */
import type { TaskEvent, TaskView } from '@triptych/protocol';
import { nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { verbNamed } from './core/late-votes.js';
import { ReceiptButton } from './receipt-button.js';
import { useDeskText } from './texts.js';

const HUB = 'hub';
const KNOWN = [
  'open',
  'claim',
  'release',
  'takeover',
  'comment',
  'edit',
  'approve',
  'reject',
  'respond',
  'cancel',
  'assign',
  'extend',
  'undo',
  'stand',
  'expire',
  'late',
  'retry',
  'reopen',
  'mark-done',
  'void',
  'run-failed-late',
  'arguments-unreadable',
  'reveal',
  'lapse',
  'overdue',
  'remind',
  'escalate',
] as const;

const isKnown = (action: string): action is (typeof KNOWN)[number] =>
  (KNOWN as readonly string[]).includes(action);

const Line = ({ event, task, now }: { event: TaskEvent; task: TaskView; now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const me = useMe();
  const agentAsked = event.action === 'open';
  const who =
    event.by === me
      ? t('r.you')
      : agentAsked
        ? readableName(task.agentId)
        : event.by === HUB
          ? t('r.hub')
          : nameOf(event.by);
  const late = event.action === 'late' ? verbNamed(event.text) : undefined;
  const did = isKnown(event.action) ? t(`r.did.${event.action}`) : event.action;
  return (
    <li>
      <time dateTime={new Date(event.at).toISOString()}>{formats.when(event.at, now)}</time>
      <span>
        {t('r.history.more', { who, did: late ? t(`r.late.${late}`) : did })}
        {event.text && !late && `: “${event.text}”`}
      </span>
    </li>
  );
};

export const HistorySection = ({ task, now }: { task: TaskView; now: number }) => {
  const t = useDeskText();
  const events = task.history ?? [];
  if (events.length === 0) return null;
  return (
    <section className="sec o6" aria-labelledby="history">
      <h2 id="history">
        {t('r.history')}
        {task.decision && task.state !== 'held' && (
          <span className="more">
            <ReceiptButton taskId={task.taskId} />
          </span>
        )}
      </h2>
      <ol className="hist">
        {events.toReversed().map((event, index) => (
          <Line key={`${event.at}/${events.length - index}`} event={event} task={task} now={now} />
        ))}
      </ol>
    </section>
  );
};
