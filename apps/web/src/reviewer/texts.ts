/** What the review desk says: bare facts, names, times. */
import { makeUseText } from '../shared/language.js';
import type { Translation } from '../shared/texts/catalogue.js';
import { bulkEn, bulkZh } from './texts.bulk.js';
import { deskEn } from './texts.en.js';
import { listEn, listZh } from './texts.list.js';
import { deskZh } from './texts.zh.js';

const en = { ...deskEn, ...bulkEn, ...listEn };
const zh: Translation<typeof en> = { ...deskZh, ...bulkZh, ...listZh };

export const useDeskText = makeUseText(en, zh);
export type DeskText = ReturnType<typeof useDeskText>;
