/** The palette itself: a field, and below it what the written words mean. The focus stays in the field. */
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../icon.js';
import { Key, Ring } from '../marks.js';
import { matching, withFound, type PaletteEntry, type PaletteSource } from './entries.js';
import { usePaletteText } from './texts.js';
import './palette.css';

/** Whoever writes is not asked for at every letter. */
const SETTLE_MS = 200;
const MIN_ASKED = 2;

type Sources = ReadonlySet<{ readonly current: PaletteSource }>;

/** What the hub finds of the words, once they have settled. */
const useFound = (sources: Sources, text: string) => {
  const [found, setFound] = useState<{ readonly text: string; readonly entries: readonly PaletteEntry[] }>();
  const asked = text.trim();
  const asks = asked.length >= MIN_ASKED;
  useEffect(() => {
    if (!asks) return undefined;
    let wanted = true;
    const ask = async () => {
      const asking = [...sources].flatMap(({ current }) => current.find?.(asked) ?? []);
      const answers = await Promise.all(asking);
      if (wanted) setFound({ text: asked, entries: answers.flat() });
    };
    const timer = setTimeout(() => void ask(), SETTLE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [sources, asked, asks]);
  const current = found?.text === asked ? found.entries : undefined;
  return { found: current ?? [], searching: asks && current === undefined };
};

const useChoice = (entries: readonly PaletteEntry[], text: string) => {
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [text]);
  const chosen = Math.min(at, entries.length - 1);
  const move = (by: number) => {
    const count = entries.length;
    if (count > 0) setAt((chosen + by + count) % count);
  };
  return { chosen, move, setAt };
};

interface ResultsProps {
  readonly entries: readonly PaletteEntry[];
  readonly chosen: number;
  readonly id: string;
  readonly onHover: (at: number) => void;
  readonly onRun: (entry: PaletteEntry) => void;
}

const Results = ({ entries, chosen, id, onHover, onRun }: ResultsProps) => (
  <div className="pal-list" role="listbox" id={id} aria-label={usePaletteText()('k.open')}>
    {entries.map((entry, at) => (
      <div key={`${entry.group}/${entry.id}`} role="presentation">
        {entry.group !== entries[at - 1]?.group && (
          <div className="pal-group" role="presentation">
            {entry.group}
          </div>
        )}
        <div
          role="option"
          id={`${id}-${at}`}
          aria-selected={at === chosen}
          className="pal-row"
          onPointerMove={() => onHover(at)}
          onClick={() => onRun(entry)}
        >
          <Icon name={entry.icon} />
          <span className="cut">{entry.label}</span>
          {entry.hint !== undefined && <span className="c3 cut">{entry.hint}</span>}
          {entry.keys !== undefined && <Key>{entry.keys}</Key>}
        </div>
      </div>
    ))}
  </div>
);

const Foot = () => {
  const t = usePaletteText();
  const keys = [
    ['↑↓', t('k.foot.move')],
    ['↵', t('k.foot.go')],
    ['Esc', t('k.foot.close')],
  ] as const;
  return (
    <p className="pal-foot">
      {keys.map(([key, does]) => (
        <span key={key}>
          <Key>{key}</Key> {does}
        </span>
      ))}
    </p>
  );
};

export const PaletteDialog = ({ sources, onClose }: { sources: Sources; onClose: () => void }) => {
  const t = usePaletteText();
  const [text, setText] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { found, searching } = useFound(sources, text);
  const entries = useMemo(
    () =>
      withFound(
        matching(
          [...sources].flatMap(({ current }) => current.here(text)),
          text,
        ),
        found,
      ),
    [sources, text, found],
  );
  const { chosen, move, setAt } = useChoice(entries, text);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    // The focus goes back first: what is begun may take it.
    dialog.current?.close();
    entry.run();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="pal"
      aria-label={t('k.open')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="pal-field">
        {searching ? <Ring /> : <Icon name="search" />}
        <input
          role="combobox"
          aria-label={t('k.field')}
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={t('k.hint')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={pressed}
        />
      </div>
      <Results entries={entries} chosen={chosen} id={id} onHover={setAt} onRun={run} />
      {entries.length === 0 && <p className="pal-none">{t(searching ? 'k.searching' : 'k.none')}</p>}
      <p className="sr" role="status">
        {searching ? '' : t('k.count', { n: entries.length })}
      </p>
      <Foot />
    </dialog>
  );
};
