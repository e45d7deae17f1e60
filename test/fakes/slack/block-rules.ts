/** The limits that Slack documents for blocks of a message or a modal; what is beyond them is `invalid_blocks`. */
import type { Members } from './answers.js';
import { elementFaults } from './element-rules.js';
import { isList, isMembers, textFaults, type Where } from './text-rules.js';

export const MAX_MESSAGE_BLOCKS = 50;
export const MAX_VIEW_BLOCKS = 100;
const MAX_ID = 255;

type BlockRule = (block: Members, where: Where) => readonly string[];

const listFaults = (
  list: unknown,
  { where, least = 1, most }: { readonly where: Where; readonly least?: number; readonly most: number },
): readonly string[] => {
  if (!isList(list)) return [`must provide an array [${where}]`];
  if (list.length < least) return [`no fewer than ${least} items allowed [${where}]`];
  return list.length > most ? [`no more than ${most} items allowed [${where}]`] : [];
};

const section: BlockRule = ({ text, fields, accessory }, where) => [
  ...(text === undefined && fields === undefined ? [`missing required field: text [${where}]`] : []),
  ...(text === undefined ? [] : textFaults(text, { where: `${where}/text`, most: 3_000 })),
  ...(fields === undefined ? [] : listFaults(fields, { where: `${where}/fields`, most: 10 })),
  ...(isList(fields)
    ? fields.flatMap((field, at) => textFaults(field, { where: `${where}/fields/${at}`, most: 2_000 }))
    : []),
  ...(accessory === undefined ? [] : elementFaults(accessory, `${where}/accessory`)),
];

const actions: BlockRule = ({ elements }, where) => {
  const all = isList(elements) ? elements : [];
  const ids = all.flatMap((each) => (isMembers(each) && each['action_id'] ? [each['action_id']] : []));
  return [
    ...listFaults(elements, { where: `${where}/elements`, most: 25 }),
    ...all.flatMap((each, at) => elementFaults(each, `${where}/elements/${at}`)),
    ...(new Set(ids).size < ids.length ? [`action_id must be unique [${where}]`] : []),
  ];
};

const context: BlockRule = ({ elements }, where) => [
  ...listFaults(elements, { where: `${where}/elements`, most: 10 }),
  ...(isList(elements) ? elements : []).flatMap((each, at) =>
    textFaults(each, { where: `${where}/elements/${at}`, most: 2_000 }),
  ),
];

const input: BlockRule = ({ label, element, hint }, where) => [
  ...textFaults(label, { where: `${where}/label`, most: 2_000, plain: true }),
  ...(hint === undefined ? [] : textFaults(hint, { where: `${where}/hint`, most: 2_000, plain: true })),
  ...elementFaults(element, `${where}/element`),
];

const RULES: Readonly<Record<string, BlockRule>> = {
  header: ({ text }, where) => textFaults(text, { where: `${where}/text`, most: 150, plain: true }),
  divider: () => [],
  section,
  actions,
  context,
  input,
};

const blockFaults = (block: unknown, where: Where): readonly string[] => {
  if (!isMembers(block)) return [`must be an object [${where}]`];
  const rule = RULES[String(block['type'])];
  if (!rule) return [`unsupported type: ${String(block['type'])} [${where}/type]`];
  const { block_id: id } = block;
  const badId = id !== undefined && (typeof id !== 'string' || id.length > MAX_ID);
  return [...(badId ? [`block_id is too long [${where}]`] : []), ...rule(block, where)];
};

export const blocksFaults = (blocks: unknown, most: number): readonly string[] => {
  if (!isList(blocks)) return ['blocks must be an array'];
  const ids = blocks.flatMap((block) => (isMembers(block) && block['block_id'] ? [block['block_id']] : []));
  return [
    ...(blocks.length > most ? [`no more than ${most} items allowed [json-pointer:/blocks]`] : []),
    ...(new Set(ids).size < ids.length ? ['block_id must be unique'] : []),
    ...blocks.flatMap((block, at) => blockFaults(block, `json-pointer:/blocks/${at}`)),
  ];
};
