/** What an edit changes, field by field, with the changed part marked. */
import type { FieldDiff } from './core/field-diff.js';
import { splitChange } from './core/field-diff.js';
import { useDeskText } from './texts.js';
import { VisibleText } from './value-text.js';

const Change = ({ before, after }: { before: string | undefined; after: string | undefined }) => {
  const { head, before: was, after: is, tail } = splitChange(before ?? '', after ?? '');
  return (
    <>
      {before !== undefined && (
        <p className="l del">
          <bdi>
            <VisibleText text={head} />
            <del>
              <VisibleText text={was} />
            </del>
            <VisibleText text={tail} />
          </bdi>
        </p>
      )}
      {after !== undefined && (
        <p className="l add">
          <bdi>
            <VisibleText text={head} />
            <ins>
              <VisibleText text={is} />
            </ins>
            <VisibleText text={tail} />
          </bdi>
        </p>
      )}
    </>
  );
};

interface DiffViewProps {
  readonly diff: FieldDiff;
  /** What is compared with what. */
  readonly from: string;
  readonly none?: string;
}

export const DiffView = ({ diff, from, none }: DiffViewProps) => {
  const t = useDeskText();
  if (diff.changed.length === 0) return none ? <p className="c3">{none}</p> : null;
  return (
    <div className="diff">
      <h3>
        <span>{from}</span>
        <span>{t('r.edit.count', { n: diff.changed.length })}</span>
      </h3>
      {diff.changed.map((change) => (
        <div className="ch" key={change.key}>
          <b>{change.label}</b>
          <Change before={change.before} after={change.after} />
        </div>
      ))}
      {diff.same > 0 && <p className="same">{t('r.edit.same', { n: diff.same })}</p>}
    </div>
  );
};
