/** What is said of several tasks at once, in English and in Chinese. */
import type { Translation } from '../shared/texts/catalogue.js';

export const bulkEn = {
  'r.pick.start': 'Select',
  'r.pick.end': 'Done',
  'r.pick.count': ({ n }: { n: number }) => `${n} selected`,
  'r.pick.clear': 'Clear',
  'r.pick.decide': 'Decide',
  'r.bulk.title': ({ n }: { n: number }) => (n === 1 ? '1 request' : `${n} requests`),
  'r.bulk.title.sum': ({ n, sum }: { n: number; sum: string }) => `${n} requests, ${sum} together`,
  'r.bulk.can': ({ can, not }: { can: number; not: number }) =>
    not === 0
      ? can === 1
        ? 'You can approve it.'
        : `You can approve all ${can}.`
      : `${can} can be approved by you, ${not} cannot.`,
  'r.bulk.who': 'For',
  'r.bulk.what': 'What',
  'r.bulk.amount': 'Amount',
  'r.bulk.you': 'You can',
  'r.bulk.stands': 'How it stands',
  'r.bulk.not.requester': 'You asked for it',
  'r.bulk.not.editor': 'You edited it',
  'r.bulk.not.limit': 'Above your limit',
  'r.bulk.not.group': 'Your group already voted',
  'r.bulk.not.claimed': 'Someone else has it',
  'r.bulk.not.answer': 'Open it to answer',
  'r.bulk.common': ({ n }: { n: number }) => `All ${n} have in common`,
  'r.bulk.each': 'Each is recorded as its own decision',
  'r.bulk': ({ can, n }: { can: number; n: number }) =>
    can === n ? `Approve ${n}` : `Approve ${can} of ${n}`,
  'r.bulk.reject': ({ n }: { n: number }) => `Reject ${n}`,
  'r.bulk.sure': ({ n }: { n: number }) => (n === 1 ? 'Approve 1 request?' : `Approve ${n} requests?`),
  'r.bulk.done.approve': ({ ok, no }: { ok: number; no: number }) =>
    no === 0 ? `${ok} approved.` : `${ok} approved, ${no} not. Each has its reason.`,
  'r.bulk.done.reject': ({ ok, no }: { ok: number; no: number }) =>
    no === 0 ? `${ok} rejected.` : `${ok} rejected, ${no} not. Each has its reason.`,
  'r.bulk.lost': 'It is not known whether this was recorded. Send it again: nothing is decided twice.',
  'r.bulk.undo.lost': 'It is not known whether all of it was taken back. The list shows it.',
};

export const bulkZh: Translation<typeof bulkEn> = {
  'r.pick.start': '多选',
  'r.pick.end': '完成',
  'r.pick.count': ({ n }: { n: number }) => `已选 ${n} 项`,
  'r.pick.clear': '清除',
  'r.pick.decide': '处理',
  'r.bulk.title': ({ n }: { n: number }) => `${n} 项申请`,
  'r.bulk.title.sum': ({ n, sum }: { n: number; sum: string }) => `${n} 项申请，合计 ${sum}`,
  'r.bulk.can': ({ can, not }: { can: number; not: number }) =>
    not === 0 ? `${can} 项均可由你批准。` : `${can} 项可由你批准，${not} 项不可。`,
  'r.bulk.who': '申请人',
  'r.bulk.what': '事项',
  'r.bulk.amount': '金额',
  'r.bulk.you': '你可以',
  'r.bulk.stands': '状态',
  'r.bulk.not.requester': '你是申请人',
  'r.bulk.not.editor': '你做过修改',
  'r.bulk.not.limit': '超出你的权限',
  'r.bulk.not.group': '你的小组已投票',
  'r.bulk.not.claimed': '他人正在处理',
  'r.bulk.not.answer': '打开后作答',
  'r.bulk.common': ({ n }: { n: number }) => `${n} 项共有`,
  'r.bulk.each': '每一项都单独记录',
  'r.bulk': ({ can, n }: { can: number; n: number }) => (can === n ? `批准 ${n} 项` : `批准 ${can}/${n}`),
  'r.bulk.reject': ({ n }: { n: number }) => `拒绝 ${n} 项`,
  'r.bulk.sure': ({ n }: { n: number }) => `批准 ${n} 项申请？`,
  'r.bulk.done.approve': ({ ok, no }: { ok: number; no: number }) =>
    no === 0 ? `${ok} 项已批准。` : `${ok} 项已批准，${no} 项未批准，原因见各项。`,
  'r.bulk.done.reject': ({ ok, no }: { ok: number; no: number }) =>
    no === 0 ? `${ok} 项已拒绝。` : `${ok} 项已拒绝，${no} 项未拒绝，原因见各项。`,
  'r.bulk.lost': '尚不确定是否已记录。请重新发送，不会重复处理。',
  'r.bulk.undo.lost': '尚不确定是否已全部撤销，请看列表。',
};
