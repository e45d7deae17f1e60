/** What the split screen says around its three surfaces. */
import { makeUseText } from '../shared/language.js';
import type { Translation } from '../shared/texts/catalogue.js';

export const demoEn = {
  'd.title': 'One conversation, three screens',
  'd.sub': 'An agent speaks once. Each screen shows what is its own to see.',
  'd.again': 'Start over',
  'd.screens': 'Screens',
  'd.customer': 'Customer',
  'd.customer.does': 'talks to the agent',
  'd.reviewer': 'Reviewer',
  'd.reviewer.does': 'decides what agents may not',
  'd.operator': 'Operator',
  'd.operator.does': 'reads every event, and who saw it',
  'd.operator.none': 'The log appears with the first message of the customer.',
  'd.operator.why': 'Write as the customer, for example: I want to invest 2 million.',
};

export const demoZh: Translation<typeof demoEn> = {
  'd.title': '一次对话，三个界面',
  'd.sub': '智能体只说一次，每个界面只显示属于自己的内容。',
  'd.again': '重新开始',
  'd.screens': '界面',
  'd.customer': '客户',
  'd.customer.does': '与智能体对话',
  'd.reviewer': '审批人',
  'd.reviewer.does': '决定智能体不能独自决定的事',
  'd.operator': '运维',
  'd.operator.does': '查看每条事件，以及谁看到了它',
  'd.operator.none': '客户发出第一条消息后，日志会出现在这里。',
  'd.operator.why': '请以客户身份输入，例如：I want to invest 2 million.',
};

export const useDemoText = makeUseText(demoEn, demoZh);
