/** What the landing page says. */
import { makeUseText } from '../shared/language.js';
import type { Translation } from '../shared/texts/catalogue.js';

export const landingEn = {
  'i.title': 'One conversation, three screens',
  'i.lead':
    'An agent speaks once. The customer, the reviewer and the operator each see what is theirs to see, in the same order, at the same moment.',
  'i.customer': 'Customer',
  'i.customer.what':
    'Talk to an agent. Text, cards, questions, and an honest word when a person has to look.',
  'i.reviewer': 'Reviewer',
  'i.reviewer.what':
    'Decide what agents may not decide alone. Every value, the rule, the deadline, the talk.',
  'i.operator': 'Operator',
  'i.operator.what': 'Read the raw log, go back in it, see what each side saw, and mend what got stuck.',
  'i.demo': 'All three at once',
  'i.demo.what': 'One conversation, side by side on one page.',
  'i.try': 'Where to click',
  'i.try.1': 'Open all three at once, or each in a window of its own.',
  'i.try.2': 'As the customer, pick “Private bank onboarding” and write: I want to invest 2 million.',
  'i.try.3': 'Watch the steps, the cards, and “An adviser is reviewing this”.',
  'i.try.4':
    'As the reviewer, open the task, read the values, press A to approve. Or E to edit, R to reject.',
  'i.try.5': 'See the customer’s account open, once. Reload any screen: it is where it was.',
  'i.try.6': 'As the operator, pick the thread. The mark at the end of each row says who saw the event.',
};

export const landingZh: Translation<typeof landingEn> = {
  'i.title': '一次对话，三个界面',
  'i.lead': '智能体只说一次。客户、审批人和运维各自看到属于自己的内容，顺序相同，时刻相同。',
  'i.customer': '客户',
  'i.customer.what': '与智能体对话：文字、卡片、问题，需要人工审核时如实告知。',
  'i.reviewer': '审批人',
  'i.reviewer.what': '决定智能体不能独自决定的事：每个数值、规则、期限和相关对话。',
  'i.operator': '运维',
  'i.operator.what': '查看原始日志，回溯历史，了解各方所见，处理卡住的批次。',
  'i.demo': '三个界面并排',
  'i.demo.what': '在一个页面上并排查看同一次对话。',
  'i.try': '如何体验',
  'i.try.1': '并排打开三个界面，或各自单独打开。',
  'i.try.2': '以客户身份选择 “Private bank onboarding”，输入：I want to invest 2 million.',
  'i.try.3': '观察步骤、卡片，以及“顾问正在审核您的申请”。',
  'i.try.4': '以审批人身份打开任务，核对数值，按 A 批准；按 E 修改，按 R 拒绝。',
  'i.try.5': '客户的账户会开立，且只开立一次。重新加载任一界面，位置不变。',
  'i.try.6': '以运维身份选择会话。每行末尾的标记说明谁看到了该事件。',
};

export const useLandingText = makeUseText(landingEn, landingZh);
