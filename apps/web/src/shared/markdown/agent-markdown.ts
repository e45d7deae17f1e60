/** Shows an agent's Markdown: its HTML stays text, its links are few, its pictures are words. */
import { createElement, memo, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';

interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  children?: Node[];
}

/** Raw HTML becomes the characters it is made of; a picture becomes its description. */
const harmless = () => (tree: Node) => {
  const visit = (node: Node): void => {
    if (node.type === 'html') node.type = 'text';
    if (node.type === 'image') {
      node.type = 'text';
      node.value = node.alt ?? '';
    }
    node.children?.forEach(visit);
  };
  visit(tree);
};

const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

/** An address without a scheme would lead into the page's own host, which no agent speaks for. */
const OUTWARD = /^(?:https?:\/\/|mailto:)/iu;

const components: Components = {
  a: ({ href, children }) =>
    href && OUTWARD.test(href)
      ? createElement('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, children)
      : createElement('span', { className: 'cut-link' }, children),
  h1: ({ children }) => createElement('h3', null, children),
  h2: ({ children }) => createElement('h3', null, children),
};

/** One block; the same text is never parsed twice. */
export const MarkdownBlock = memo(({ text }: { text: string }): ReactNode =>
  createElement(Markdown, {
    children: text,
    components,
    remarkPlugins: [harmless],
    rehypePlugins: [[rehypeSanitize, SCHEMA]],
  }),
);
