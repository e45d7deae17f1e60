/** Lays frames of one story side by side, from the pictures of its screens: a page that Chromium itself takes as one picture. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of each picture the part that tells the step, in the picture's own pixels: from the left, from the top, how wide. */
const FRAMES = [
  { of: 'customer-new', left: 440, top: 190, wide: 820, says: '1. A customer asks' },
  { of: 'customer', left: 300, top: 300, wide: 760, says: '2. The agent stops and waits for a person' },
  { of: 'reviewer', left: 580, top: 0, wide: 860, says: '3. A reviewer decides' },
  { of: 'customer-opened', left: 300, top: 140, wide: 760, says: '4. The agent goes on with the answer' },
  { of: 'operator', left: 250, top: 40, wide: 1_190, says: '5. The operator sees every event of it' },
];
const FRAME = { width: 300, height: 232 };

const frame = (folder, { of, left, top, wide, says }) => {
  const data = readFileSync(join(folder, `${of}.png`)).toString('base64');
  const zoom = FRAME.width / wide;
  return `<figure><div><img src="data:image/png;base64,${data}" style="zoom:${zoom};margin:${-top}px 0 0 ${-left}px"></div>
    <figcaption>${says}</figcaption></figure>`;
};

const pageOf = (folder) => `<!doctype html><style>
  body { margin: 0; padding: 12px; display: flex; gap: 12px; background: #f6f4f0; font: 13px/18px system-ui, sans-serif; color: #1e1c19; }
  figure { margin: 0; width: ${FRAME.width}px; }
  figure div { height: ${FRAME.height}px; overflow: hidden; border: 1px solid #d2cdc3; border-radius: 8px; background: #fff; }
  figcaption { padding-top: 6px; text-align: center; }
  img { display: block; max-width: none; }
</style>${FRAMES.map((each) => frame(folder, each)).join('')}`;

export const takeStrip = async (browser, folder) => {
  const width = FRAMES.length * (FRAME.width + 12) + 12;
  const page = await browser.newPage({
    deviceScaleFactor: 1.5,
    viewport: { width, height: FRAME.height + 50 },
  });
  await page.setContent(pageOf(folder), { waitUntil: 'load' });
  await page.screenshot({ path: join(folder, 'story.png') });
  await page.close();
};
