/** The words of Adaptive Cards 1.5 that the hub uses, and no others. */
export interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly isSubtle?: true;
  readonly fontType?: 'Monospace';
}

/** Runs know no Markdown: the only element that foreign text may be put into. */
export interface RichTextBlock {
  readonly type: 'RichTextBlock';
  readonly inlines: readonly TextRun[];
  readonly spacing?: 'Small' | 'Medium';
  readonly separator?: true;
}

/** For our own words. */
export interface TextBlock {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly wrap: true;
  readonly weight?: 'Bolder';
  readonly size?: 'Medium';
  readonly color?: 'Warning';
  readonly style?: 'heading';
}

interface InputBase {
  readonly id: string;
  readonly label: string;
  readonly isRequired?: true;
  readonly errorMessage?: string;
}
export interface Choice {
  readonly title: string;
  readonly value: string;
}
export type Input =
  | (InputBase & {
      readonly type: 'Input.Text';
      readonly isMultiline?: true;
      readonly maxLength?: number;
      readonly regex?: string;
    })
  | (InputBase & { readonly type: 'Input.Number'; readonly min?: number; readonly max?: number })
  | (InputBase & { readonly type: 'Input.Toggle'; readonly title: string; readonly value: string })
  | (InputBase & { readonly type: 'Input.Date' })
  | (InputBase & {
      readonly type: 'Input.ChoiceSet';
      readonly choices: readonly Choice[];
      readonly style: 'compact' | 'expanded';
      readonly isMultiSelect?: true;
    });

export type Element = TextBlock | RichTextBlock | Input;

export type Verb = 'approve' | 'reject' | 'respond' | 'claim' | 'refresh';
export interface ActionData {
  readonly t: string;
  /** Only where no verb of its own travels with it. */
  readonly verb?: string;
}
export interface Submit {
  readonly type: 'Action.Submit';
  readonly title: string;
  readonly data: ActionData;
}
export interface Execute {
  readonly type: 'Action.Execute';
  readonly title: string;
  readonly verb: string;
  readonly data: ActionData;
  readonly style?: 'positive' | 'destructive';
  readonly associatedInputs?: 'auto' | 'none';
  /** For clients that do not know Execute. */
  readonly fallback?: Submit;
}
export interface OpenUrl {
  readonly type: 'Action.OpenUrl';
  readonly title: string;
  readonly url: string;
}
export interface ShowCard {
  readonly type: 'Action.ShowCard';
  readonly title: string;
  readonly style?: 'positive' | 'destructive';
  readonly card: {
    readonly type: 'AdaptiveCard';
    readonly body: readonly Element[];
    readonly actions: readonly Action[];
  };
}
export type Action = Execute | OpenUrl | ShowCard;

export interface AdaptiveCard {
  readonly type: 'AdaptiveCard';
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  readonly version: '1.5';
  readonly fallbackText: string;
  readonly body: readonly Element[];
  readonly actions?: readonly Action[];
  /** Who sees a view of their own: their clients ask for it when they show the card. */
  readonly refresh?: { readonly action: Execute; readonly userIds: readonly string[] };
}

export const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';
const VERB_SPACE = 'hub.';
export const verbName = (verb: Verb): string => `${VERB_SPACE}${verb}`;

export const heading = (text: string): TextBlock => ({
  type: 'TextBlock',
  text,
  wrap: true,
  weight: 'Bolder',
  size: 'Medium',
  style: 'heading',
});

export const notice = (text: string): TextBlock => ({
  type: 'TextBlock',
  text,
  wrap: true,
  color: 'Warning',
});
