/** One turn of the conversation, theirs or ours. */
import { memo } from 'react';
import { AnsweredPanel } from './answered-panel.js';
import { GenerativeCard } from './cards/generative-card.js';
import type { Turn, TurnPart } from './core/turns.js';
import { MessageText } from '../shared/markdown/message-text.js';
import { useCustomerText } from './texts.js';
import { ToolSteps } from './tool-steps.js';

const Part = memo(({ part }: { part: TurnPart }) => {
  switch (part.kind) {
    case 'text':
      return <MessageText text={part.text} streaming={part.streaming} />;
    case 'steps':
      return <ToolSteps steps={part.steps} />;
    case 'held':
      return <AnsweredPanel call={part.call} />;
    case 'card':
      return <GenerativeCard card={part.card} />;
  }
});

/** Charts that follow each other stand side by side where there is room. */
const CHARTS = new Set(['allocation', 'growth']);
const isChart = (part: TurnPart | undefined): boolean =>
  part?.kind === 'card' && CHARTS.has(part.card.component);

const grouped = (parts: readonly TurnPart[]): readonly (readonly TurnPart[])[] =>
  parts.reduce<TurnPart[][]>((groups, part) => {
    const last = groups.at(-1);
    if (isChart(part) && last && isChart(last.at(-1))) last.push(part);
    else groups.push([part]);
    return groups;
  }, []);

const partKey = (part: TurnPart | undefined): string => `${part?.kind}/${part?.id}`;

export const TurnView = ({ turn }: { turn: Turn }) => {
  const t = useCustomerText();
  if (turn.who === 'you') {
    return (
      <section className="turn you" aria-label={t('c.you')} tabIndex={-1}>
        <p className="bubble">{turn.text}</p>
      </section>
    );
  }
  return (
    <section className="turn" aria-label={t('c.assistant')} tabIndex={-1}>
      <p className="who" aria-hidden="true">
        {t('c.assistant')}
      </p>
      {grouped(turn.parts).map((group) => {
        const parts = group.map((part) => <Part key={partKey(part)} part={part} />);
        return (
          <div key={partKey(group[0])} className={group.length > 1 ? 'pair' : 'part'}>
            {parts}
          </div>
        );
      })}
    </section>
  );
};
