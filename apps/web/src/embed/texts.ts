/** What a chat says to whoever puts it on a page, before it can say anything else. */
import { makeUseText } from '../shared/language.js';
import type { Translation } from '../shared/texts/catalogue.js';

export const embedEn = {
  'e.nosource': 'No sign-in is set up for this chat.',
  'e.nosource.why': 'Give it a token-url, or a getToken.',
  'e.nohub': 'This chat does not know its hub.',
  'e.nohub.why': 'Give it the address of one, as in hub="https://hub.example".',
};

export const embedZh: Translation<typeof embedEn> = {
  'e.nosource': '此对话尚未设置登录方式。',
  'e.nosource.why': '请提供 token-url 或 getToken。',
  'e.nohub': '此对话不知道服务地址。',
  'e.nohub.why': '请填写服务地址，例如 hub="https://hub.example"。',
};

export const useEmbedText = makeUseText(embedEn, embedZh);
