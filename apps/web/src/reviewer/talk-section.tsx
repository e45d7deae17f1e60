/** What was said around the task, read along from the reviewer's surface of the thread. */
import { useState } from 'react';
import type { TaskView } from '@triptych/protocol';
import { emptyModel } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { MessageText } from '../shared/markdown/message-text.js';
import { firstNameOf } from '../shared/personas.js';
import { useThread } from '../shared/use-thread.js';
import { fateOf } from './core/fate.js';
import { NEAR_LINES, talkOf } from './core/talk.js';
import { useDeskText } from './texts.js';

const EMPTY = emptyModel();

export const TalkSection = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const [all, setAll] = useState(false);
  const view = useThread(task.threadId);
  const lines = talkOf(view?.model ?? EMPTY);
  const shown = all ? lines : lines.slice(-NEAR_LINES);
  const customer = firstNameOf(task.requester);
  return (
    <section className="sec o5" aria-labelledby="talk">
      <h2 id="talk">
        {t('r.talk')}
        {lines.length > NEAR_LINES && (
          <span className="more">
            <button type="button" className="btn link t-12" aria-expanded={all} onClick={() => setAll(!all)}>
              {t(all ? 'r.talk.less' : 'r.talk.all')}
            </button>
          </span>
        )}
      </h2>
      <ol className="talk">
        {shown.length === 0 && <li className="here c3">{t('r.talk.none')}</li>}
        {shown.map((line, index) => (
          <li key={line.id} className={line.who === shown[index - 1]?.who ? 'on' : undefined}>
            <span className="who">{line.who === 'customer' ? customer : t('r.talk.assistant')}</span>
            <MessageText text={line.text} streaming={false} />
          </li>
        ))}
        {fateOf(task).kind === 'open' && (
          <li className="here">
            <p>
              <Icon name="hand" className="sm" />
              {t('r.talk.here')}
            </p>
          </li>
        )}
      </ol>
    </section>
  );
};
