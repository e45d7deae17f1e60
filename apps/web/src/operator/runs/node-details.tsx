/** One node of a run, taken apart: since when, how long, what it said and called, what is worth a look. */
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo } from '../../shared/url-state.js';
import type { LogBook } from '../core/log-book.js';
import { wordsOf } from '../core/node-words.js';
import { tookOf, waitedOf, type RunNode, type VisibleNode } from '../core/run-tree.js';
import { FindingItem } from './finding-item.js';
import { StandingChip, StandingGlyph } from './standing-sign.js';
import { useShortTime } from './short-time.js';
import { useRunsText } from './texts.js';

const Facts = ({ node, root, now }: { node: RunNode; root: RunNode; now: number }) => {
  const t = useRunsText();
  const short = useShortTime();
  const { formats } = useSurface();
  const waited = waitedOf(node, now);
  const after = node === root ? formats.timeExact(node.startedAt) : short(node.startedAt - root.startedAt);
  return (
    <dl className="kv">
      <dt>{t('u.started')}</dt>
      <dd>{node === root ? after : t('u.started.after', { t: after })}</dd>
      <dt>{t('u.took')}</dt>
      <dd>{short(tookOf(node, now))}</dd>
      {waited !== undefined && (
        <>
          <dt>{t('u.waits')}</dt>
          <dd>{short(waited)}</dd>
        </>
      )}
      {node.code !== undefined && (
        <>
          <dt>{t('u.code')}</dt>
          <dd className="mono">{node.code}</dd>
        </>
      )}
      {node.seq !== undefined && (
        <>
          <dt>{t('u.event')}</dt>
          <dd>
            <button
              type="button"
              className="btn link t-12"
              onClick={() => goTo({ look: undefined, seq: String(node.seq) })}
            >
              {formats.number(node.seq)}
            </button>
          </dd>
        </>
      )}
    </dl>
  );
};

const Calls = ({ node, now }: { node: RunNode; now: number }) => {
  const t = useRunsText();
  const short = useShortTime();
  const calls = node.children.filter(({ kind }) => kind === 'tool');
  if (calls.length === 0) return null;
  return (
    <section>
      <h3>{t('u.calls')}</h3>
      <ol className="trail">
        {calls.map((call) => (
          <li key={call.key}>
            <StandingGlyph node={call} />
            <span className="mono cut">{call.name}</span>
            <span className="q">{short(tookOf(call, now))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};

const Said = ({ node, book }: { node: RunNode; book: LogBook }) => {
  const t = useRunsText();
  const words = node.kind === 'tool' ? [] : wordsOf(book, node);
  if (words.length === 0) return null;
  return (
    <section>
      <h3>{t('u.said')}</h3>
      {words.map((each, index) => (
        <p key={index} className="spoken">
          {each}
        </p>
      ))}
    </section>
  );
};

interface NodeDetailsProps {
  readonly row: VisibleNode;
  readonly root: RunNode;
  readonly book: LogBook;
  readonly now: number;
  /** Undefined where it is not to be shut. */
  readonly onClose?: () => void;
}

export const NodeDetails = ({ row: { node, path }, root, book, now, onClose }: NodeDetailsProps) => {
  const t = useRunsText();
  return (
    <>
      <header>
        <div className="ln">
          <h2>{path.slice(-2).join(' › ')}</h2>
          <span className="grow" />
          <StandingChip standing={node.standing} />
          {onClose && (
            <button type="button" className="btn ghost sm icon" aria-label={t('u.close')} onClick={onClose}>
              <Icon name="x" />
            </button>
          )}
        </div>
        <Facts node={node} root={root} now={now} />
      </header>
      <div className="in" tabIndex={0} role="region" aria-label={node.name}>
        {node.findings.length > 0 && (
          <section>
            <h3>{t('u.findings')}</h3>
            {node.findings.map((finding, index) => (
              <FindingItem key={index} finding={finding} />
            ))}
          </section>
        )}
        <Said node={node} book={book} />
        <Calls node={node} now={now} />
      </div>
    </>
  );
};
