/** What is said of a thread as it was. */
import { makeUseText } from '../../shared/language.js';
import type { Translation } from '../../shared/texts/catalogue.js';

export const pastEn = {
  'p.strip': 'Time travel',
  'p.event': 'Event',
  'p.at': ({ n }: { n: string }) => `Event ${n}`,
  'p.of': ({ n }: { n: string }) => `of ${n}`,
  'p.live': 'Live',
  'p.back': 'Back to live',
  'p.past': 'You are looking at the past. Nothing here changes what people see.',
  'p.asof': ({ when }: { when: string }) => `As of ${when}`,
  'p.trimmed': ({ n }: { n: string }) => `The log is kept from event ${n} on. What was before is gone.`,
  'p.state': 'State',
  'p.state.none': 'No state yet.',
  'p.messages': 'Messages',
  'p.messages.none': 'No message yet.',
  'p.open': 'Open questions',
  'p.open.none': 'Nothing is asked.',
  'p.surface': 'As which surface',
  'p.after': ({ n }: { n: string }) => `After event ${n}`,
  'p.call': ({ name }: { name: string }) => `calls ${name}`,
};

export const pastZh: Translation<typeof pastEn> = {
  'p.strip': '时间回溯',
  'p.event': '事件',
  'p.at': ({ n }) => `事件 ${n}`,
  'p.of': ({ n }) => `共 ${n}`,
  'p.live': '实时',
  'p.back': '回到实时',
  'p.past': '正在查看历史，不影响任何人看到的内容。',
  'p.asof': ({ when }) => `截至 ${when}`,
  'p.trimmed': ({ n }) => `日志自事件 ${n} 起保留，更早的内容已不存在。`,
  'p.state': '状态',
  'p.state.none': '暂无状态。',
  'p.messages': '消息',
  'p.messages.none': '暂无消息。',
  'p.open': '未答复的问题',
  'p.open.none': '没有提问。',
  'p.surface': '以哪个界面查看',
  'p.after': ({ n }) => `事件 ${n} 之后`,
  'p.call': ({ name }) => `调用 ${name}`,
};

export const usePastText = makeUseText(pastEn, pastZh);
