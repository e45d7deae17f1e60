/** The beginning: who can help, and the first message. */
import { useRef, useState } from 'react';
import { ConnectionLine } from '../shared/connection-line.js';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import type { Fetched } from '../shared/use-fetched.js';
import { useDraft } from '../shared/use-draft.js';
import { useSharedText } from '../shared/use-shared-text.js';
import type { Page } from '../shared/hub-api.js';
import { Composer } from './composer.js';
import { startersOf, type Agent } from './core/agent.js';
import { usePlace } from './place.js';
import { useCustomerText } from './texts.js';
import { beginConversation } from './use-outbox.js';
import { itemsOf } from './use-threads.js';

interface ChoiceProps {
  readonly agents: readonly Agent[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

const AgentChoice = ({ agents, chosen, onChoose }: ChoiceProps) => {
  const t = useCustomerText();
  return (
    <fieldset className="agents">
      <legend>{t('c.empty.with')}</legend>
      {agents.map((agent) => (
        <label key={agent.id} className={agent.id === chosen ? 'opt on' : 'opt'}>
          <input
            className="sr"
            type="radio"
            name="agent"
            checked={agent.id === chosen}
            onChange={() => onChoose(agent.id)}
          />
          <span>
            {agent.name}
            {agent.capabilities?.identity?.description && (
              <small>{agent.capabilities.identity.description}</small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

/** What one may say to this one: a beginning that can be changed before it is sent. */
const Starters = ({ agent, onPick }: { agent: Agent | undefined; onPick: (text: string) => void }) => {
  const t = useCustomerText();
  const starters = startersOf(agent);
  if (starters.length === 0) return null;
  return (
    <div className="starters" role="group" aria-label={t('c.starters')}>
      {starters.map((text) => (
        <button key={text} type="button" className="btn" onClick={() => onPick(text)}>
          {text}
        </button>
      ))}
    </div>
  );
};

export const NewConversation = ({ agents }: { agents: Fetched<Page<Agent>> }) => {
  const t = useCustomerText();
  const x = useSharedText();
  const { formats } = useSurface();
  const { open, agentId } = usePlace();
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useDraft(agentId === undefined ? 'new' : `new.${agentId}`);
  const list = itemsOf(agents);
  const chosen = agentId ?? picked ?? list[0]?.id;
  const nobody = agents.state === 'there' && list.length === 0;
  /** WEB-12: written before it is known who can help, it goes to the default one. */
  const begin = (text: string) => open(beginConversation(chosen, text));
  return (
    <>
      <div className="cu-scroll">
        <div className="cu-col begin">
          <div className="emptyx">
            <Icon name="chat" />
            <h2>{t('c.empty')}</h2>
            {agents.state === 'refused' && <span>{x('x.loadfail')}</span>}
            {nobody && <span>{t('c.empty.noagents')}</span>}
          </div>
          {agentId === undefined && list.length > 0 && (
            <AgentChoice agents={list} chosen={chosen} onChoose={setPicked} />
          )}
          <Starters
            agent={list.find(({ id }) => id === chosen)}
            onPick={(text) => {
              setDraft(text);
              field.current?.focus();
            }}
          />
        </div>
      </div>
      <div className="cu-foot">
        <div>
          <ConnectionLine />
          <Composer
            draft={draft}
            onDraft={setDraft}
            field={field}
            running={false}
            disabled={nobody}
            onSend={begin}
          />
          <p className="fine">{formats.sentences([t('c.calm.saved'), t('c.disclaimer')])}</p>
        </div>
      </div>
    </>
  );
};
