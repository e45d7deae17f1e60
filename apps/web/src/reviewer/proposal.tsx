/** What the agent wants to do, as values a person can read; the JSON only on demand. */
import type { TaskView } from '@triptych/protocol';
import { useState, type ReactNode } from 'react';
import { firstNameOf } from '../shared/personas.js';
import { Icon } from '../shared/icon.js';
import { currentArgs, rowsOf } from './core/current.js';
import { hiddenValues } from './core/hidden-values.js';
import type { ValueRow } from './core/values.js';
import { HiddenValue } from './hidden-value.js';
import { useDeskText } from './texts.js';
import { ValueText, VisibleText } from './value-text.js';

interface ValuesProps {
  readonly rows: readonly ValueRow[];
  /** In place of what is hidden. */
  readonly hidden?: (row: ValueRow) => ReactNode;
}

export const Values = ({ rows, hidden }: ValuesProps) => (
  <table className="args">
    <tbody>
      {rows.map((row) => (
        <tr key={row.key} className={row.value.kind === 'money' ? 'big' : undefined}>
          <th scope="row">{row.label}</th>
          <td>{(row.value.kind === 'redacted' && hidden?.(row)) || <ValueText value={row.value} />}</td>
          <td className="k">{row.key}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Raw = ({ text }: { text: string }) => (
  <pre className="json" tabIndex={0}>
    <VisibleText text={text} />
  </pre>
);

const Body = ({ task, json }: { task: TaskView; json: boolean }) => {
  const t = useDeskText();
  const args = currentArgs(task);
  const rows = rowsOf(task, args);
  if (task.proposal.argsText !== undefined && task.edit === undefined) {
    return (
      <>
        <p className="hint">{t('r.proposal.text')}</p>
        <Raw text={task.proposal.argsText} />
      </>
    );
  }
  if (args === undefined) return <p className="c3">{t('r.proposal.none')}</p>;
  if (json || rows === undefined) return <Raw text={JSON.stringify(args, null, 2)} />;
  const mayReveal = task.may.includes('reveal') && task.edit === undefined;
  const pointers = mayReveal ? hiddenValues(args) : new Map<string, string>();
  return (
    <Values
      rows={rows}
      hidden={({ key }) => {
        const pointer = pointers.get(key);
        return pointer !== undefined && <HiddenValue task={task} pointer={pointer} />;
      }}
    />
  );
};

export const ProposalSection = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const [json, setJson] = useState(false);
  const readable = currentArgs(task) !== undefined;
  return (
    <section className="sec o2" aria-labelledby="proposal">
      <h2 id="proposal">
        {t('r.proposal')}
        {task.edit && (
          <span className="chip live">
            <Icon name="pen" />
            {t('r.proposal.edited', { name: firstNameOf(task.edit.by) })}
          </span>
        )}
        {readable && (
          <span className="more">
            <button
              type="button"
              className="btn link t-12"
              aria-pressed={json}
              onClick={() => setJson(!json)}
            >
              {t(json ? 'r.proposal.values' : 'r.proposal.json')}
            </button>
          </span>
        )}
      </h2>
      <Body task={task} json={json} />
    </section>
  );
};
