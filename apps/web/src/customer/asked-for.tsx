/** What the request is about: what was asked for, and the reference to name on the telephone. */
import { useSurface } from '../shared/surface-context.js';
import type { Value } from '../reviewer/core/values.js';
import { askedRows, spokenRef } from './core/asked-rows.js';
import type { HeldCall } from './core/turns.js';
import { useCustomerText } from './texts.js';

const useWords = () => {
  const t = useCustomerText();
  const { formats } = useSurface();
  return (value: Value): string => {
    switch (value.kind) {
      case 'text':
        return value.text;
      case 'number':
        return formats.number(value.value);
      case 'money':
        return formats.money(value.value, value.currency);
      case 'yesno':
        return t(value.value ? 'c.yes' : 'c.no');
      case 'nothing':
        return '';
      case 'redacted':
        return t('c.hidden');
    }
  };
};

interface AskedForProps {
  readonly calls: readonly HeldCall[];
  readonly of?: string | undefined;
}

export const AskedFor = ({ calls, of: ref }: AskedForProps) => {
  const t = useCustomerText();
  const words = useWords();
  const rows = askedRows(calls);
  if (rows.length === 0 && ref === undefined) return null;
  return (
    <div>
      <h3>{t(rows.length > 0 ? 'c.hold.asked' : 'c.hold.about')}</h3>
      <dl className="rows">
        {rows.map(({ key, label, value }, index) => (
          <div key={`${index}/${key}`}>
            <dt>{label}</dt>
            <dd className="first-up">
              <bdi>{words(value)}</bdi>
            </dd>
          </div>
        ))}
        {ref !== undefined && (
          <div>
            <dt>{t('c.hold.ref')}</dt>
            <dd className="mono">{spokenRef(ref)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
};
