/** What a thread holds as its state, as the console shows it. */
import { AMELIA } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf } from './wire.js';

/** As wide as the record of an account is: two members at the top, forty below. */
const RECORD = {
  applicant: { name: 'Amelia Hartmann', country: 'CH' },
  record: Object.fromEntries(
    Array.from({ length: 40 }, (_, nth) => [`field${nth}`, nth % 2 === 0 ? nth : `value ${nth}`]),
  ),
};

describe('the state of a thread', () => {
  let agent: QuickAgent;
  const stage = onPages(async () => {
    agent = await quickAgent({
      record: ({ threadId, runId }) => [
        { type: 'RUN_STARTED', threadId, runId },
        { type: 'STATE_SNAPSHOT', snapshot: RECORD },
        { type: 'RUN_FINISHED', threadId, runId },
      ],
    });
    return { AGENTS_FILE: agent.agentsFile };
  });
  afterAll(() => agent?.stop());

  verifies(
    'WEB-118',
    'a record of forty members is shown as one: each member on a line of its own, below what it belongs to',
    inBrowser(async () => {
      const token = await stage.product.token(AMELIA);
      const body = inputOf('wide', 'record');
      await (await stage.product.fetch('/v1/agents/quick/run', { token, body })).text();
      const { page, complaints } = await stage.open('/operator?thread=wide&look=state');
      const shown = page.locator('pre.json');
      await shown.getByText('"field39"').waitFor();
      const text = (await shown.textContent()) ?? '';
      expect(JSON.parse(text)).toEqual(RECORD);
      const lines = text.split('\n').filter((line) => /^ {4}"field\d+": /u.test(line));
      expect(lines).toHaveLength(40);
      expect(await shown.locator('span').count()).toBeGreaterThan(80);
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );
});
