/** Who looks at a card. */
import type { TaskAction } from '@triptych/protocol';

export type Viewer =
  /** Whoever reads it where nothing can be pressed. */
  | { readonly kind: 'reader' }
  /** Everybody in the conversation, of whom these have a view of their own. */
  | { readonly kind: 'everybody'; readonly refreshFor: readonly string[] }
  /** One person, with what they may do and what they are to be told. */
  | { readonly kind: 'person'; readonly may: readonly TaskAction[]; readonly told?: string };
