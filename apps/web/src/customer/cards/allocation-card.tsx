/** How an amount is spread: a ring, and the same as a table. */
import { useSurface } from '../../shared/surface-context.js';
import { useCustomerText } from '../texts.js';
import type { AllocationFacts } from './card-facts.js';
import { CardFrame } from './card-frame.js';
import { shortMoney } from './short-money.js';
import { ringArcs } from './ring-chart.js';

const COLOURS = 4;
const colourOf = (index: number): string => `f${(index % COLOURS) + 1}${index >= COLOURS ? ' again' : ''}`;

export const AllocationCard = ({ facts }: { facts: AllocationFacts }) => {
  const t = useCustomerText();
  const { formats, language } = useSurface();
  const percent = (value: number) => formats.percent(value / 100);
  const words = facts.parts.map((part) => `${part.label} ${percent(part.percent)}`).join(', ');
  return (
    <CardFrame title={facts.title ?? t('c.card.allocation')}>
      <div className="donut">
        <svg viewBox="-60 -60 120 120" role="img" aria-label={`${t('c.card.allocation')}: ${words}`}>
          {ringArcs(facts.parts.map((part) => part.percent)).map((path, index) => (
            <path key={facts.parts[index]?.label} className={colourOf(index)} d={path} />
          ))}
          {facts.amount !== undefined && (
            <text className="big" y={facts.mandate === undefined ? 5 : 1}>
              {shortMoney(facts.amount, facts.currency, language)}
            </text>
          )}
          {facts.mandate !== undefined && (
            <text className="small" y={facts.amount === undefined ? 4 : 16}>
              {facts.mandate.slice(0, 14)}
            </text>
          )}
        </svg>
        <table className="legend">
          <caption className="sr">{t('c.card.allocation')}</caption>
          <tbody>
            {facts.parts.map((part, index) => (
              <tr key={part.label}>
                <td>
                  <i className={colourOf(index)} />
                  {part.label}
                </td>
                <td>{percent(part.percent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </CardFrame>
  );
};
