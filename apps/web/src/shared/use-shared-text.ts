/** The texts that every surface uses, in the reader's language. */
import { makeUseText } from './language.js';
import { sharedEn, sharedZh } from './texts/shared-texts.js';

export const useSharedText = makeUseText(sharedEn, sharedZh);
