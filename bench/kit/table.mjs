/** Shows what benches found, and puts it into the page that is read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/processes.mjs';

const PAGE = join(root, 'docs/performance.md');
const [BEGIN, END] = ['<!-- figures: begin -->', '<!-- figures: end -->'];

const shown = (value, unit) => [value.toFixed(value < 100 ? 2 : 0), unit].filter(Boolean).join(' ');
const named = (limit, unit) => [limit, unit].filter(Boolean).join(' ');

/** The cells of a figure that must not be larger, or smaller, than a goal. */
export const atMost = (limit, value, unit) => ({
  figure: shown(value, unit),
  goal: `≤ ${named(limit, unit)}`,
  met: value <= limit,
});
export const atLeast = (limit, value, unit) => ({
  figure: shown(value, unit),
  goal: `≥ ${named(limit, unit)}`,
  met: value >= limit,
});

const verdict = ({ met }) => (met === undefined ? '' : met ? 'met' : '**missed**');
const line = (cells) => `| ${cells.join(' | ')} |`;

export const tableOf = (rows) =>
  [
    line(['measured', 'figure', 'goal', '', 'more']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map((row) => line([row.what, row.figure, row.goal ?? '', verdict(row), row.more ?? ''])),
  ].join('\n');

/** Replaces what stands between the marks. */
export const publish = (figures) => {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} has no place for figures.`);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${figures}\n\n${END}${after}`);
};
