/** What is said of who reads a thread, and of what was worth a look in it. */
import { makeUseText } from '../../shared/language.js';
import type { Translation } from '../../shared/texts/catalogue.js';

export const watchEn = {
  'w.findings.none': 'Nothing worth a look so far.',
  'w.findings.why':
    'What agents did against the rules, what came late or never, and who was shown hidden values is kept here.',
  'w.findings.more': ({ n }: { n: string }) => `Only the newest ${n} are shown.`,
  'w.readers.none': 'Nobody reads this thread on this hub.',
  'w.readers.note': 'Readers on the hub that answered, every two seconds anew.',
  'w.readers.who': 'Who',
  'w.readers.surface': 'Surface',
  'w.readers.behind': 'Behind',
  'w.readers.unsent': 'Not taken yet',
  'w.readers.state': 'State',
  'w.readers.paused': 'paused',
  'w.readers.flows': 'keeps up',
  'w.readers.kb': ({ n }: { n: string }) => `${n} KB`,
  'w.readers.events': ({ n }: { n: string }) => `${n} events`,
  'w.readers.fact': ({ n, lag }: { n: number; lag: string }) =>
    `${n} ${n === 1 ? 'reader' : 'readers'}, worst lag ${lag}`,
};

export const watchZh: Translation<typeof watchEn> = {
  'w.findings.none': '目前没有值得注意的内容。',
  'w.findings.why': '智能体违反规则的行为、迟到或缺失的事件、谁查看过隐藏内容，都记录在此。',
  'w.findings.more': ({ n }) => `仅显示最新的 ${n} 项。`,
  'w.readers.none': '此实例上没有人在读取该会话。',
  'w.readers.note': '应答实例上的读取者，每两秒刷新。',
  'w.readers.who': '读取者',
  'w.readers.surface': '界面',
  'w.readers.behind': '落后',
  'w.readers.unsent': '尚未接收',
  'w.readers.state': '状态',
  'w.readers.paused': '已暂停',
  'w.readers.flows': '正常',
  'w.readers.kb': ({ n }) => `${n} KB`,
  'w.readers.events': ({ n }) => `${n} 条`,
  'w.readers.fact': ({ n, lag }) => `${n} 个读取者，最大落后 ${lag}`,
};

export const useWatchText = makeUseText(watchEn, watchZh);
