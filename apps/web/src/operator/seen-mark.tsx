/** The hinge mark: who received this event, in the order customer, reviewer, operator. */
import type { Seen, SeenBy } from '@triptych/protocol';
import { useConsoleText } from './texts.js';

const CLASSES: Readonly<Record<Seen, string>> = { full: 'f', redacted: 'h', hidden: 'o' };

export const SeenMark = ({ seen }: { seen: SeenBy | undefined }) => {
  const t = useConsoleText();
  const verdicts: readonly (readonly ['customer' | 'reviewer' | 'operator', Seen])[] = [
    ['customer', seen?.customer ?? 'hidden'],
    ['reviewer', seen?.reviewer ?? 'hidden'],
    ['operator', 'full'],
  ];
  const label = verdicts
    .map(([surface, verdict]) => `${t(`o.surface.${surface}`)} ${t(`o.saw.${verdict}`)}`)
    .join(', ');
  return (
    <span className="seen" role="img" aria-label={label}>
      {verdicts.map(([surface, verdict]) => (
        <i key={surface} className={CLASSES[verdict]} />
      ))}
    </span>
  );
};
