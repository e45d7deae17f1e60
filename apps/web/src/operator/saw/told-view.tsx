/** Draws what a run of events tells: words as words, a call by its values, a question as a question. */
import { Icon } from '../../shared/icon.js';
import { toldBy, type Told } from '../core/told-events.js';
import { useSawText } from './texts.js';
import type { AguiEvent } from '@triptych/protocol';

/** More is for the inspector. */
const MAX_LENGTH = 1_200;
const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

const readable = (args: string): string => {
  try {
    return JSON.stringify(JSON.parse(args), null, 1);
  } catch {
    // Pieces of JSON, or none: shown as the text it is.
    return args;
  }
};

const One = ({ told }: { told: Told }) => {
  const t = useSawText();
  switch (told.kind) {
    case 'words':
      return <p className="words">{cut(told.text)}</p>;
    case 'call':
      return (
        <>
          <p className="mono w5">{told.name}</p>
          {told.args !== '' && <pre>{cut(readable(told.args))}</pre>}
        </>
      );
    case 'question':
      return (
        <>
          <div className={told.awaits ? 'mini hold2' : 'mini'}>
            <Icon name={told.awaits ? 'hourglass' : 'ask'} className="sm" /> {cut(told.title)}
          </div>
          {told.awaits && (
            <p className="pj-hid">
              <Icon name="eyeoff" />
              <span>{t('s.awaits')}</span>
            </p>
          )}
        </>
      );
    case 'line':
      return (
        <pre>
          <span className="ty">{told.type} </span>
          {cut(told.text)}
        </pre>
      );
  }
};

export const ToldView = ({ events }: { events: readonly AguiEvent[] }) =>
  toldBy(events).map((told, index) => <One key={index} told={told} />);
