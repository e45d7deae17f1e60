/** Asks a page whether everyone can use it. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

/** What axe calls serious or critical. */
export const findingsOn = async (page: Page): Promise<readonly Finding[]> => {
  // The page's own policy forbids foreign scripts; the debugger's evaluation is not one of them.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({ id, impact: String(impact), nodes: nodes.map(({ html }) => html) }));
  });
};

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
