/** Proves that an agent's text can be no markup of its own. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { verifies } from '../../../../../test/spec/verifies.js';
import { MarkdownBlock } from './agent-markdown.js';
import { decodeNamedCharacterReference } from './named-characters.js';

const shown = (text: string): string => renderToStaticMarkup(createElement(MarkdownBlock, { text }));

describe('agent markdown', () => {
  verifies('WEB-1', 'HTML stays the characters it is made of', () => {
    const html = shown('a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n\n<b onclick=x>c</b>');
    expect(html).not.toMatch(/<(img|script|b)\b/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('&lt;script&gt;');
  });

  verifies('WEB-1', 'only links to the web and to mail are links; pictures are their description', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'JaVaScRiPt:alert(1)',
      'file:///etc/passwd',
      '/customer',
      '//example.com/x',
      '&#106;avascript&colon;x',
      '#place',
    ]) {
      const html = shown(`[text](${address})`);
      expect(html).not.toContain('href');
      expect(html).toContain('text');
    }
    expect(shown('[text](https://example.com)')).toContain('rel="noopener noreferrer nofollow"');
    expect(shown('[text](mailto:a@b.c)')).toContain('href="mailto:a@b.c"');
    expect(shown('![a cat](https://example.com/cat.png)')).toBe('<p>a cat</p>');
  });

  verifies('WEB-1', 'common characters go by their names, other names stay what they are', () => {
    expect(['amp', 'euro', 'nbsp'].map(decodeNamedCharacterReference)).toEqual(['&', '€', '\u{a0}']);
    expect(['colon', 'constructor', ''].map(decodeNamedCharacterReference)).toEqual([false, false, false]);
  });
});
