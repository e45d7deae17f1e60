/** Says which of the invariants a history breaks; an empty answer is what a correct product gives. */
import type { History, Violation } from './history.js';
import { judgeLog } from './judge-log.js';
import { judgeReaders } from './judge-readers.js';

export const judge = (history: History): readonly Violation[] => [
  ...judgeLog(history),
  ...judgeReaders(history.books, history.logs),
];
