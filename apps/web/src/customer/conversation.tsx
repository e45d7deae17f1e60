/** One open conversation: what was said and done, what waits, and where to write. */
import { useRef, type RefObject } from 'react';
import { ConnectionLine } from '../shared/connection-line.js';
import { Icon } from '../shared/icon.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { useDraft } from '../shared/use-draft.js';
import { useFollow } from '../shared/use-follow.js';
import { Composer, ShutComposer } from './composer.js';
import type { Turn } from './core/turns.js';
import { QuestionForm } from './question-form.js';
import { EndNote, Thinking } from './run-state.js';
import { useCustomerText } from './texts.js';
import { TurnView } from './turn-view.js';
import { UnsentMessages } from './unsent-messages.js';
import type { ConversationTools } from './use-conversation.js';
import { WaitingPanel } from './waiting-panel.js';

interface ConversationProps {
  readonly threadId: string;
  readonly title: string;
  readonly tools: ConversationTools;
  /** The hub has no agent for this customer. */
  readonly noAgents: boolean;
  readonly onNew: () => void;
}

const lastAsked = (turns: readonly Turn[]): string | undefined => {
  const turn = turns.findLast((each) => each.who === 'you');
  return turn?.who === 'you' ? turn.text : undefined;
};

/** What may have been done already is asked for again in the customer's own words only. */
const againIn = ({ reading, outbox }: ConversationTools, write: () => void): (() => void) | undefined => {
  const { ending, turns, waiting } = reading;
  if (waiting.hold !== undefined || waiting.questions.length > 0) return undefined;
  const words = lastAsked(turns);
  if (ending?.kind === 'safe' && words !== undefined) return () => outbox.send(words);
  return write;
};

const Gone = ({ code }: { code: string | undefined }) => {
  const x = useSharedText();
  return (
    <div className="emptyx">
      <Icon name="lock" />
      <b>{x(code === 'FORBIDDEN' ? 'x.noaccess' : 'x.notfound')}</b>
    </div>
  );
};

const Shape = () => (
  <div className="sk" aria-hidden="true">
    <i className="mine" />
    <i />
    <i className="short" />
  </div>
);

type Field = RefObject<HTMLTextAreaElement | null>;

const Talk = ({
  tools,
  noAgents,
  field,
}: Pick<ConversationProps, 'tools' | 'noAgents'> & { field: Field }) => {
  const { reading, outbox, view } = tools;
  const { waiting } = reading;
  const again = againIn(tools, () => field.current?.focus());
  return (
    <>
      {view?.phase === 'joining' && <Shape />}
      {reading.turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} />
      ))}
      {reading.running && <Thinking shown={reading.showsWork} change={view?.pos} />}
      {reading.ending && <EndNote ending={reading.ending} onAgain={again} />}
      {waiting.questions.length > 0 && (
        <QuestionForm
          key={waiting.questions.map((question) => question.id).join()}
          questions={waiting.questions}
          onSend={tools.answer}
        />
      )}
      {waiting.hold && <WaitingPanel hold={waiting.hold} calls={reading.held} />}
      <UnsentMessages
        outbox={outbox.outbox}
        running={reading.running}
        nobody={noAgents && !outbox.exists}
        onRetry={outbox.retry}
        onRemove={outbox.remove}
      />
    </>
  );
};

const Foot = ({
  threadId,
  tools,
  onNew,
  field,
}: Omit<ConversationProps, 'title' | 'noAgents'> & { field: Field }) => {
  const t = useCustomerText();
  const { reading, outbox, view } = tools;
  const [draft, setDraft] = useDraft(threadId);
  const held = reading.waiting.hold !== undefined;
  const asked = reading.waiting.questions.length > 0;
  return (
    <>
      <ConnectionLine thread={view} />
      {held || asked ? (
        <ShutComposer why={t(asked ? 'c.composer.ask' : 'c.composer.shut')} onNew={onNew} />
      ) : (
        <Composer
          draft={draft}
          onDraft={setDraft}
          field={field}
          running={reading.running}
          onSend={outbox.send}
          onStop={tools.stop}
        />
      )}
      <p className="fine">{t(held ? 'c.hold.leave' : 'c.disclaimer')}</p>
    </>
  );
};

export const Conversation = ({ threadId, title, tools, noAgents, onNew }: ConversationProps) => {
  const t = useCustomerText();
  const field = useRef<HTMLTextAreaElement>(null);
  const { scroller, content, following, toEnd } = useFollow();
  const { view, reading } = tools;
  const ended = view?.phase === 'ended';
  return (
    <>
      <div className="cu-scroll" ref={scroller} tabIndex={0} aria-label={title} role="region">
        <div className="cu-col" ref={content} role="log" aria-label={title} aria-busy={reading.running}>
          {ended ? <Gone code={view.ended} /> : <Talk {...{ tools, noAgents, field }} />}
        </div>
      </div>
      {!following && (
        <div className="cu-jump">
          <button type="button" className="btn sm" onClick={toEnd}>
            <Icon name="down" />
            {t('c.jump')}
          </button>
        </div>
      )}
      {!ended && (
        <div className="cu-foot">
          <div>
            <Foot {...{ threadId, tools, onNew, field }} />
          </div>
        </div>
      )}
    </>
  );
};
