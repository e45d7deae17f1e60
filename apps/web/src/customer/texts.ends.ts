/** What became of a request that an adviser looked at. Approved is not done, and silence is not no. */
import type { Translation } from '../shared/texts/catalogue.js';

export const endsEn = {
  'c.end.answered': 'An adviser has answered',
  'c.end.going': 'We are carrying on now. It counts only once it is done.',
  'c.end.below': 'What came of it stands below.',
  'c.end.done': 'Approved and done',
  'c.end.done.what': 'An adviser agreed, and it was carried out.',
  'c.end.declined': 'An adviser said no to this',
  'c.end.declined.what': 'Nothing was done.',
  'c.end.cancelled': 'This ended without a decision',
  'c.end.cancelled.what': 'No one decided in time, or the request was withdrawn. Nothing was done.',
  'c.end.failed': 'This did not work',
  'c.end.failed.what': 'An adviser answered, but it could not be carried out. Nothing is repeated by itself.',
  'c.end.early': 'An adviser answered, and then the work stopped early. Nothing is repeated by itself.',
};

export const endsZh: Translation<typeof endsEn> = {
  'c.end.answered': '顾问已答复',
  'c.end.going': '我们正在继续办理，完成后才算生效。',
  'c.end.below': '结果见下方。',
  'c.end.done': '已通过并已办理',
  'c.end.done.what': '顾问已同意，并已执行。',
  'c.end.declined': '顾问没有通过',
  'c.end.declined.what': '没有执行任何操作。',
  'c.end.cancelled': '未作决定即已结束',
  'c.end.cancelled.what': '未能在期限内决定，或申请已撤回。没有执行任何操作。',
  'c.end.failed': '未能成功',
  'c.end.failed.what': '顾问已答复，但未能执行。不会自动重复。',
  'c.end.early': '顾问已答复，但办理提前中断。不会自动重复。',
};
