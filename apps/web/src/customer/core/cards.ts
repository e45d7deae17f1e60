/** Reads generative cards out of a conversation: the same id is the same card, the latest value counts. */

/** The name of the CUSTOM event and the type of the activity that carry cards. */
export const CARD_NAME = 'GENERATIVE_UI';

export interface CardValue {
  readonly id: string;
  readonly component: string;
  readonly version?: string | number;
  readonly props: unknown;
  /** For fallbacks and screen readers. */
  readonly text?: string;
}

/** Nothing when the value is no card: an agent may send anything under the name. */
export const readCard = (value: unknown): CardValue | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const card = value as Partial<Record<keyof CardValue, unknown>>;
  if (typeof card.id !== 'string' || typeof card.component !== 'string') return undefined;
  return {
    id: card.id,
    component: card.component,
    props: card.props,
    ...(typeof card.version === 'string' || typeof card.version === 'number'
      ? { version: card.version }
      : {}),
    ...(typeof card.text === 'string' ? { text: card.text } : {}),
  };
};
