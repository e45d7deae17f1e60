/** Writes one value of a proposal, with its invisible characters made visible. */
import { Fragment } from 'react';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import type { Formats } from '../shared/formats.js';
import { visiblePieces, type Value } from './core/values.js';
import { useDeskText, type DeskText } from './texts.js';

/** The value as plain words; what two values read as is what they are compared by. */
export const valueWords = (value: Value, formats: Formats, t: DeskText): string => {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'number':
      return formats.number(value.value);
    case 'money':
      return formats.money(value.value, value.currency);
    case 'yesno':
      return t(value.value ? 'r.yes' : 'r.no');
    case 'nothing':
      return t('r.empty.value');
    case 'redacted':
      return t('r.redacted');
  }
};

export const VisibleText = ({ text }: { text: string }) => {
  const t = useDeskText();
  return visiblePieces(text).map((piece, index) =>
    'mark' in piece ? (
      <span key={index} className="mark-char" role="img" aria-label={t('r.mark', { code: piece.mark })}>
        {piece.mark}
      </span>
    ) : (
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  );
};

export const ValueText = ({ value }: { value: Value }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  if (value.kind === 'redacted') {
    return (
      <span className="redact">
        <Icon name="eyeoff" />
        {t('r.redacted')}
      </span>
    );
  }
  if (value.kind === 'nothing') return <span className="c3">{t('r.empty.value')}</span>;
  // The surrounding direction is ours: a value may not turn the line around.
  return (
    <bdi>
      <VisibleText text={valueWords(value, formats, t)} />
    </bdi>
  );
};
