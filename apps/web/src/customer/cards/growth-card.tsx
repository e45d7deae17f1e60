/** What an amount may become: a band of outcomes, and the same in words. */
import { useSurface } from '../../shared/surface-context.js';
import { useCustomerText } from '../texts.js';
import type { GrowthFacts } from './card-facts.js';
import { CardFrame } from './card-frame.js';
import { CHART, growthCurves } from './growth-curves.js';
import { shortMoney } from './short-money.js';

export const GrowthCard = ({ facts }: { facts: GrowthFacts }) => {
  const t = useCustomerText();
  const { formats, language } = useSurface();
  const curves = growthCurves(facts);
  const { width, height, left, right, bottom } = CHART;
  const last = (values: readonly number[]): number => values.at(-1) ?? 0;
  const ends = [
    { name: t('c.card.growth.high'), value: last(facts.strong) },
    { name: t('c.card.growth.mid'), value: last(facts.expected) },
    { name: t('c.card.growth.low'), value: last(facts.weak) },
  ];
  const years = t('c.card.growth.years', { n: facts.years });
  const words = ends
    .map(({ name, value }) => `${name} ${formats.money(Math.round(value), facts.currency)}`)
    .join(', ');
  const title = facts.title ?? t('c.card.growth');
  return (
    <CardFrame
      title={title}
      className="growth"
      {...(facts.note === undefined ? {} : { aside: <span className="t-12 c3">{facts.note}</span> })}
    >
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}, ${years}: ${words}`}>
        <line className="axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
        <line
          className="axis"
          x1={left}
          x2={width - right}
          y1={curves.levels.expected}
          y2={curves.levels.expected}
        />
        <line
          className="axis"
          x1={left}
          x2={width - right}
          y1={curves.levels.strong}
          y2={curves.levels.strong}
        />
        <path className="band" d={curves.band} />
        <path className="edge" d={curves.strong} />
        <path className="edge" d={curves.weak} />
        <path className="mid" d={curves.expected} />
        <circle cx={curves.start.x} cy={curves.start.y} r="3" className="f1" />
        {ends.map(({ name, value }, index) => (
          <text
            key={name}
            className={index === 1 ? 'v' : undefined}
            x={width - right + 8}
            y={curves.labels[index]}
          >
            {shortMoney(value, facts.currency, language)}
          </text>
        ))}
        <text x={left} y={height - 6}>
          {t('c.card.growth.today')}
        </text>
        {facts.years > 1 && (
          <text x={(left + width - right) / 2} y={height - 6} textAnchor="middle">
            {t('c.card.growth.years', { n: facts.years / 2 })}
          </text>
        )}
        <text x={width - right} y={height - 6} textAnchor="end">
          {years}
        </text>
      </svg>
      <p className="hint">{t('c.card.growth.note')}</p>
    </CardFrame>
  );
};
