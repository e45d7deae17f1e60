/** What the console offers in its palette. */
import { makeUseText } from '../../shared/language.js';
import type { Translation } from '../../shared/texts/catalogue.js';

export const consolePaletteEn = {
  'p.threads': 'Threads',
  'p.tasks': 'Tasks',
  'p.runs': 'Runs of this thread',
  'p.events': 'Events of this thread',
  'p.places': 'Pages',
  'p.looks': 'Looks at this thread',
  'p.acts': 'Do',
  'p.event': ({ n }: { n: string }) => `Event ${n}`,
  'p.run': ({ id }: { id: string }) => `Run ${id}`,
  'p.live': 'Back to live',
  'p.language': 'Speak the other language',
};

export const consolePaletteZh: Translation<typeof consolePaletteEn> = {
  'p.threads': '会话',
  'p.tasks': '任务',
  'p.runs': '此会话的运行',
  'p.events': '此会话的事件',
  'p.places': '页面',
  'p.looks': '查看此会话的方式',
  'p.acts': '操作',
  'p.event': ({ n }) => `事件 ${n}`,
  'p.run': ({ id }) => `运行 ${id}`,
  'p.live': '回到实时',
  'p.language': '切换语言',
};

export const useConsolePaletteText = makeUseText(consolePaletteEn, consolePaletteZh);
