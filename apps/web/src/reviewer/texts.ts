/** What the review desk says: bare facts, names, times. */
import { makeUseText } from '../shared/language.js';
import type { Translation } from '../shared/texts/catalogue.js';
import { deskEn } from './texts.en.js';
import { deskZh } from './texts.zh.js';

export const useDeskText = makeUseText(deskEn, deskZh as Translation<typeof deskEn>);
export type DeskText = ReturnType<typeof useDeskText>;
