/** What the palette itself says. */
import { makeUseText } from '../language.js';
import type { Translation } from '../texts/catalogue.js';

export const paletteEn = {
  'k.open': 'Go to or do',
  'k.field': 'Go to or do something',
  'k.hint': 'Words, a name, an id',
  'k.none': 'Nothing matches.',
  'k.searching': 'Asking the hub',
  'k.count': ({ n }: { n: number }) => `${n} ${n === 1 ? 'result' : 'results'}`,
  'k.foot.move': 'move',
  'k.foot.go': 'go',
  'k.foot.close': 'close',
};

export const paletteZh: Translation<typeof paletteEn> = {
  'k.open': '跳转或执行',
  'k.field': '跳转或执行操作',
  'k.hint': '关键词、名称或编号',
  'k.none': '没有匹配项。',
  'k.searching': '正在查询',
  'k.count': ({ n }) => `${n} 项结果`,
  'k.foot.move': '移动',
  'k.foot.go': '前往',
  'k.foot.close': '关闭',
};

export const usePaletteText = makeUseText(paletteEn, paletteZh);
