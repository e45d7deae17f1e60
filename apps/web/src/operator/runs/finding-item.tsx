/** One thing that was worth a look. */
import { Icon, type IconName } from '../../shared/icon.js';
import { readableName } from '../../shared/readable-name.js';
import { useSurface } from '../../shared/surface-context.js';
import { useNow } from '../../shared/use-now.js';
import type { RunFinding } from '../core/run-tree.js';
import { useRunsText } from './texts.js';

const MINUTE = 60_000;
const SIGNS: Readonly<Record<string, { tone: string; icon: IconName }>> = {
  'gate-bypass': { tone: 'bad', icon: 'alert' },
  'asked-afterwards': { tone: 'bad', icon: 'alert' },
  reveal: { tone: '', icon: 'eye' },
};
const USUAL = { tone: 'wait', icon: 'flag' } as const;

export const FindingItem = ({ finding }: { finding: RunFinding & { readonly by?: string } }) => {
  const t = useRunsText();
  const { formats } = useSurface();
  const now = useNow(MINUTE);
  const { tone, icon } = SIGNS[finding.kind] ?? USUAL;
  return (
    <div className={`find ${tone}`}>
      <Icon name={icon} />
      <div className="grow">
        <b>{readableName(finding.kind)}</b>{' '}
        <span className="c3 t-12">
          {formats.when(finding.at, now)}
          {finding.count !== undefined && ` · ${t('u.times', { n: formats.number(finding.count) })}`}
          {finding.by !== undefined && ` · ${finding.by}`}
        </span>
        <p>{finding.message}</p>
      </div>
    </div>
  );
};
