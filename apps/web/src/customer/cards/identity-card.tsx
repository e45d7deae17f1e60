/** The result of an identity check, with each thing that was checked. */
import { Icon } from '../../shared/icon.js';
import { useCustomerText } from '../texts.js';
import type { IdentityFacts } from './card-facts.js';
import { CardFrame } from './card-frame.js';

const Verdict = ({ good }: { good: boolean }) => {
  const t = useCustomerText();
  return (
    <span className={good ? 'st ok' : 'st wait'}>
      <Icon name={good ? 'check' : 'ask'} />
      {t(good ? 'c.card.passed' : 'c.card.notpassed')}
    </span>
  );
};

export const IdentityCard = ({ facts }: { facts: IdentityFacts }) => {
  const t = useCustomerText();
  const chip = (
    <span className={facts.confirmed ? 'chip ok' : 'chip wait'}>
      <Icon name={facts.confirmed ? 'check' : 'ask'} />
      {t(facts.confirmed ? 'c.card.confirmed' : 'c.card.notconfirmed')}
    </span>
  );
  return (
    <CardFrame title={t('c.card.identity')} aside={chip}>
      <dl className="facts">
        <div>
          <dt>{t('c.card.name')}</dt>
          <dd>{facts.name}</dd>
        </div>
        {facts.checks.map((check) => (
          <div key={check.label}>
            <dt>{check.label}</dt>
            <dd>
              <Verdict good={check.passed} />
            </dd>
          </div>
        ))}
      </dl>
    </CardFrame>
  );
};
