/** Says how a new account stands. */
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { useCustomerText } from '../texts.js';
import type { AccountFacts } from './card-facts.js';
import { CardFrame } from './card-frame.js';

export const AccountCard = ({ facts }: { facts: AccountFacts }) => {
  const t = useCustomerText();
  const { formats } = useSurface();
  const chip = facts.open && (
    <span className="chip ok">
      <Icon name="check" />
      {t('c.card.open')}
    </span>
  );
  const rows: readonly [string, string | undefined][] = [
    [t('c.card.account'), facts.accountId],
    [
      t('c.card.amount'),
      facts.amount === undefined ? undefined : formats.money(facts.amount, facts.currency),
    ],
    [t('c.card.mandate'), facts.mandate],
  ];
  return (
    <CardFrame title={t(facts.open ? 'c.card.opened' : 'c.card.account')} aside={chip}>
      <dl className="rows">
        {rows.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="first-up">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </CardFrame>
  );
};
