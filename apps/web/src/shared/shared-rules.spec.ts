/** Proves what all surfaces share: addresses, languages, formats, form errors, and pages without inline code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { customerEn, customerZh } from '../customer/texts.js';
import { demoEn, demoZh } from '../demo/texts.js';
import { landingEn, landingZh } from '../index/texts.js';
import { batchesEn, batchesZh } from '../operator/batches/texts.js';
import { healthEn, healthZh } from '../operator/health/texts.js';
import { pastEn, pastZh } from '../operator/past/texts.js';
import { runsEn, runsZh } from '../operator/runs/texts.js';
import { sawEn, sawZh } from '../operator/saw/texts.js';
import { consoleEn, consoleZh } from '../operator/texts.js';
import { watchEn, watchZh } from '../operator/watch/texts.js';
import { bulkEn, bulkZh } from '../reviewer/texts.bulk.js';
import { deskEn } from '../reviewer/texts.en.js';
import { deskZh } from '../reviewer/texts.zh.js';
import { formatsFor } from './formats.js';
import { errorTree } from './forms/form-validator.js';
import { fits, schemaErrors } from './forms/schema-errors.js';
import { uiSchemaFor, withTitles } from './forms/ui-schema.js';
import { initialsOf, nameOf } from './personas.js';
import { chooseLanguage, translator, type Catalogue } from './texts/catalogue.js';
import { sharedEn, sharedZh } from './texts/shared-texts.js';
import { addressWith } from './url-state.js';

const WEB = resolve(import.meta.dirname, '../..');

describe('the address', () => {
  verifies('WEB-18', 'holds what is looked at and leaves the rest alone', () => {
    expect(addressWith('/operator?thread=a&seq=3&lang=zh', { thread: 'b c', seq: undefined })).toBe(
      '/operator?thread=b+c&lang=zh',
    );
    expect(addressWith('/reviewer?task=x', { task: undefined })).toBe('/reviewer');
    expect(addressWith('/reviewer', {})).toBe('/reviewer');
  });
});

describe('texts', () => {
  const pairs: readonly (readonly [Catalogue, Catalogue])[] = [
    [customerEn, customerZh],
    [deskEn, deskZh],
    [bulkEn, bulkZh],
    [consoleEn, consoleZh],
    [batchesEn, batchesZh],
    [sawEn, sawZh],
    [pastEn, pastZh],
    [runsEn, runsZh],
    [watchEn, watchZh],
    [healthEn, healthZh],
    [demoEn, demoZh],
    [landingEn, landingZh],
    [sharedEn, sharedZh],
  ];

  verifies('WEB-20', 'every text is there in both languages, in the same form', () => {
    for (const [en, zh] of pairs) {
      expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
      for (const [key, message] of Object.entries(en)) {
        expect(typeof zh[key]).toBe(typeof message);
        if (typeof message === 'string')
          expect(message.trim().length * String(zh[key]).trim().length).toBeGreaterThan(0);
      }
    }
  });

  verifies('WEB-20', 'the language asked for wins over the one chosen before and the browser’s', () => {
    expect(chooseLanguage('zh', 'en', ['en-GB'])).toBe('zh');
    expect(chooseLanguage(null, 'zh', ['en-GB'])).toBe('zh');
    expect(chooseLanguage(null, null, ['fr-FR', 'zh-Hans-CN'])).toBe('zh');
    expect(chooseLanguage('xx', null, [])).toBe('en');
  });

  verifies('WEB-20', 'messages take their values', () => {
    const t = translator<typeof deskEn>(deskEn);
    expect(t('r.new', { n: 1 })).toBe('1 new task since you looked');
    expect(t('r.new', { n: 2 })).toBe('2 new tasks since you looked');
    expect(t('r.approve')).toBe('Approve');
  });
});

describe('formats', () => {
  const formats = formatsFor('en');

  verifies('WEB-20', 'money, spans and times are written by the rules of the language', () => {
    expect(formats.money(2_000_000, 'EUR')).toBe('€2,000,000');
    expect(formats.money(96.4, 'EUR')).toBe('€96.40');
    expect(formats.money(5, 'not a currency')).toBe('5 not a currency');
    expect(formats.span(12 * 60_000 + 30_000)).toBe('12 min');
    expect(formats.span(125 * 60_000)).toBe('2 hr 5 min');
    expect(formats.span(3 * 86_400_000)).toBe('3 days');
    expect(formats.spanLong(3_600_000)).toBe('1\u00A0hour');
    expect(formats.spanLong(900_000)).toBe('15\u00A0minutes');
    expect(formatsFor('zh').spanLong(3_600_000)).toBe('1\u00A0小时');
    expect(formatsFor('zh').span(60_000)).toBe('1 分钟');
    expect(formatsFor('zh').ago(0, 5 * 60_000)).toBe('5 分钟前');
    expect(formatsFor('zh').sentences(['已提交。', '请稍候。'])).toBe('已提交。请稍候。');
    expect(formats.sentences(['Sent.', 'Wait.'])).toBe('Sent. Wait.');
    expect(formats.ago(0, 5 * 60_000)).toBe('5 minutes ago');
  });

  verifies('WEB-20', 'people are called by their names where they are known', () => {
    expect(nameOf('tove')).toBe('Tove Lindqvist');
    expect(nameOf('someone@example.com')).toBe('someone@example.com');
    expect(initialsOf('Tove Lindqvist')).toBe('TL');
    expect(initialsOf('')).toBe('');
  });
});

describe('forms', () => {
  const schema = {
    type: 'object',
    required: ['source', 'amount'],
    properties: {
      source: { type: 'string', enum: ['Sale', 'Savings'] },
      amount: { type: 'number', maximum: 10 },
      deep: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'string', minLength: 2 } } },
      },
    },
  };

  verifies('WEB-21', 'each field that does not fit says in words how to mend it, once', () => {
    expect(schemaErrors(schema, { amount: 11, deep: { list: ['ok', 'x'] } }, 'en')).toEqual([
      { path: ['source'], text: 'Fill this in.' },
      { path: ['amount'], text: 'At most 10.' },
      { path: ['deep', 'list', '1'], text: 'At least 2 characters.' },
    ]);
    expect(schemaErrors(schema, { source: 'Other', amount: 'x' }, 'zh').map(({ text }) => text)).toEqual([
      '请选择其中一项。',
      '请输入数字。',
    ]);
    expect(fits(schema, { source: 'Sale', amount: 3 })).toBe(true);
  });

  verifies('WEB-21', 'errors land beside their field, also under names that objects inherit', () => {
    const tree = errorTree([
      { path: ['toString', '__proto__'], text: 'no' },
      { path: ['amount'], text: 'At most 10.' },
    ]);
    expect(tree.amount?.__errors).toEqual(['At most 10.']);
    expect(({} as Record<string, unknown>).no).toBeUndefined();
  });

  verifies('WEB-21', 'few options are all shown, machine names get readable titles', () => {
    expect(uiSchemaFor(schema)).toMatchObject({ source: { 'ui:widget': 'radio' } });
    expect(uiSchemaFor({ type: 'string', enum: ['1', '2', '3', '4', '5', '6'] })).toEqual({
      'ui:widget': 'select',
    });
    expect(uiSchemaFor({ type: 'string', maxLength: 2_000 })).toEqual({ 'ui:widget': 'textarea' });
    expect(withTitles({ properties: { fundingIban: {}, own: { title: 'Mine' } } })).toEqual({
      properties: { fundingIban: { title: 'Funding iban' }, own: { title: 'Mine' } },
    });
  });
});

describe('the pages', () => {
  const sources = readdirSync(join(WEB, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(tsx?|css)$/.test(name) && !name.includes('.spec.'),
  );

  verifies('WEB-23', 'hold no inline script, no inline style and nothing from elsewhere', () => {
    for (const page of readdirSync(WEB).filter((name) => name.endsWith('.html'))) {
      const html = readFileSync(join(WEB, page), 'utf8');
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|https?:\/\/|<script(?![^>]*\ssrc=)/i);
      expect(html).toContain('<meta name="viewport"');
    }
  });

  verifies('WEB-23', 'never turn text into markup or code', () => {
    for (const name of sources) {
      const source = readFileSync(join(WEB, 'src', name), 'utf8');
      expect({
        name,
        found: /dangerouslySetInnerHTML|innerHTML|\beval\(|new Function\(|rehype-raw/.exec(source)?.[0],
      }).toEqual({ name, found: undefined });
    }
  });
});
