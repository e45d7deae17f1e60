/** What is said of what each surface was shown. */
import { makeUseText } from '../../shared/language.js';
import type { Translation } from '../../shared/texts/catalogue.js';

export const sawEn = {
  's.region': 'What each surface is shown',
  's.all': 'All three',
  's.differences': 'Only differences',
  's.show': 'Show',
  's.note': 'Worked out with the policy in force now.',
  's.shown': ({ n }: { n: string }) => `${n} of these events`,
  's.hidden': 'Hidden by the policy',
  's.hidden.tool': 'This tool call is hidden by the policy',
  's.hidden.state': 'Nothing changed that they may see',
  's.hidden.agent': 'This sub-agent is hidden by the policy',
  's.hidden.other': 'This event is for operators only',
  's.part': 'Part of it is hidden by the policy',
  's.later': 'Comes whole, with its last piece',
  's.awaits': 'One placeholder. Question, rule and deadline stay hidden.',
  's.same': 'Every event shown here went to all three as it was sent.',
  's.none': 'No event yet.',
  's.earlier': 'Load earlier events',
  's.copy': 'Copy as report',
  's.report.hidden': '(hidden)',
};

export const sawZh: Translation<typeof sawEn> = {
  's.region': '各界面看到的内容',
  's.all': '三个界面',
  's.differences': '仅差异',
  's.show': '显示',
  's.note': '按当前生效的策略推算。',
  's.shown': ({ n }) => `可见 ${n} 条`,
  's.hidden': '按规则隐藏',
  's.hidden.tool': '此工具调用按规则隐藏',
  's.hidden.state': '其可见部分没有变化',
  's.hidden.agent': '此子智能体按规则隐藏',
  's.hidden.other': '此事件仅供运维查看',
  's.part': '部分内容按规则隐藏',
  's.later': '将在最后一段后整体显示',
  's.awaits': '仅一个占位提示，问题、规则和期限均隐藏。',
  's.same': '此处显示的事件均原样发给三个界面。',
  's.none': '暂无事件。',
  's.earlier': '加载更早的事件',
  's.copy': '复制为报告',
  's.report.hidden': '（隐藏）',
};

export const useSawText = makeUseText(sawEn, sawZh);
