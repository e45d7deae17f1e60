/** The customer's conversations, the open one, and where it stands. */
import { useEffect, useState, type ReactNode } from 'react';
import { Icon } from '../shared/icon.js';
import type { Page } from '../shared/hub-api.js';
import type { Fetched } from '../shared/use-fetched.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { Conversation } from './conversation.js';
import type { Agent } from './core/agent.js';
import { progressOf, type Progress } from './core/progress.js';
import { actingOf, titleOf } from './core/read-conversation.js';
import { withStanding, type Standing } from './core/thread-standing.js';
import { NewConversation } from './new-conversation.js';
import { usePlace } from './place.js';
import { ProgressBar, ProgressList, StandingWords } from './progress-view.js';
import { ThreadRail } from './thread-rail.js';
import { useCustomerText } from './texts.js';
import { titleFor } from './titles.js';
import { useConversation } from './use-conversation.js';
import { itemsOf, useAgents, useThreads } from './use-threads.js';

interface MainProps {
  readonly title: string;
  /** Whom one talks to. */
  readonly agent?: string | undefined;
  readonly progress?: Progress | undefined;
  readonly onMenu: () => void;
  readonly children: ReactNode;
}

const Main = ({ title, agent, progress, onMenu, children }: MainProps) => {
  const t = useCustomerText();
  const guest = usePlace().addressOf === undefined;
  const Region = guest ? 'section' : 'main';
  const Heading = guest ? 'h2' : 'h1';
  return (
    <Region className="cu-main" id="main" aria-label={guest ? title : undefined}>
      <header className="cu-head">
        <div className="cu-title">
          <button type="button" className="btn ghost icon menu" aria-label={t('c.menu')} onClick={onMenu}>
            <Icon name="menu" />
          </button>
          <div className="named">
            <Heading className="cut">{title}</Heading>
            {agent !== undefined && <p className="hint cut">{agent}</p>}
          </div>
        </div>
        {progress && <ProgressBar progress={progress} />}
      </header>
      {children}
    </Region>
  );
};

const Aside = ({ progress }: { progress: Progress | undefined }) => {
  const t = useCustomerText();
  return (
    <aside className="cu-aside" aria-label={t('c.progress')}>
      {progress && (
        <>
          <div>
            <h2>{t('c.progress')}</h2>
            <p className="sub">
              <StandingWords progress={progress} />
            </p>
          </div>
          <ProgressList progress={progress} />
        </>
      )}
      <div className={progress ? 'calm' : 'calm alone'}>
        <p>
          <Icon name="lock" />
          <span>{t('c.calm.saved')}</span>
        </p>
        <p>
          <Icon name="users" />
          <span>{t('c.calm.people')}</span>
        </p>
      </div>
    </aside>
  );
};

const Rail = ({ onShut, children }: { onShut: () => void; children: ReactNode }) => {
  const t = useCustomerText();
  const x = useSharedText();
  return (
    <nav
      className="cu-rail"
      aria-label={t('c.conversations')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onShut();
      }}
    >
      <button type="button" className="btn ghost icon shut" aria-label={x('x.close')} onClick={onShut}>
        <Icon name="x" />
      </button>
      {children}
    </nav>
  );
};

interface OpenProps {
  readonly threadId: string;
  readonly agents: Fetched<Page<Agent>>;
  readonly onMenu: () => void;
  /** The thread began, or stands differently now. */
  readonly onNews: () => void;
  readonly onStanding: (standing: Standing | undefined) => void;
}

const Open = ({ threadId, agents, onMenu, onNews, onStanding }: OpenProps) => {
  const t = useCustomerText();
  const place = usePlace();
  const tools = useConversation(threadId, place.agentId ?? itemsOf(agents)[0]?.id);
  const { reading, standing, summary } = tools;
  useEffect(onNews, [onNews, summary?.status]);
  // Only what the row says: every word of an answer makes a new standing that says the same.
  useEffect(() => onStanding(standing), [onStanding, standing?.status, standing?.openInterrupts]);
  const progress = progressOf(summary?.steps ?? [], reading.steps, actingOf(reading));
  const agentId = summary?.agentId ?? place.agentId;
  const agent = itemsOf(agents).find(({ id }) => id === agentId);
  const noAgents = agents.state === 'there' && agents.value.items.length === 0;
  const title = titleOf(reading.turns) ?? titleFor(threadId) ?? t('c.untitled');
  return (
    <>
      <Main title={title} agent={agent?.name} progress={progress} onMenu={onMenu}>
        <Conversation {...{ threadId, title, tools, noAgents }} onNew={() => place.open(undefined)} />
      </Main>
      <Aside progress={progress} />
    </>
  );
};

interface ConversationsProps {
  /** What the rail begins and ends with. */
  readonly top?: ReactNode;
  readonly bottom?: ReactNode;
  /** How the open conversation stands, each time that it stands differently. */
  readonly onStanding?: (standing: Standing | undefined) => void;
}

export const Conversations = ({ top, bottom, onStanding }: ConversationsProps) => {
  const t = useCustomerText();
  const { current } = usePlace();
  const { threads, again } = useThreads();
  const agents = useAgents();
  const [menu, setMenu] = useState(false);
  const [standing, setStanding] = useState<Standing | undefined>(undefined);
  useEffect(() => onStanding?.(standing), [onStanding, standing]);
  const onMenu = () => setMenu(true);
  return (
    <div className="cu" data-menu={menu || undefined} data-begin={current === undefined || undefined}>
      <Rail onShut={() => setMenu(false)}>
        {top}
        <ThreadRail
          threads={withStanding(threads, standing)}
          agents={agents}
          onPicked={() => setMenu(false)}
        />
        {bottom}
      </Rail>
      {current === undefined ? (
        <Main title={t('c.untitled')} onMenu={onMenu}>
          <NewConversation agents={agents} />
        </Main>
      ) : (
        <Open
          key={current}
          threadId={current}
          {...{ agents, onMenu }}
          onNews={again}
          onStanding={setStanding}
        />
      )}
    </div>
  );
};
