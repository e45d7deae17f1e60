/** Whether the pages answer while much is said, and whether the console stays small before a long log. */
import { startAgent } from './pages/agent.mjs';
import { longLog } from './pages/long-log.mjs';
import { startPlain } from './pages/plain-page.mjs';
import { streamed } from './pages/streamed.mjs';
import { chromiumPath, openBrowser } from './pages/watched.mjs';
import { openStage, tokenFor } from './kit/stage.mjs';

/** Nothing of what is said is hidden: each page has all of it to draw. */
const POLICY = `surfaces:
  customer: { tools: { "*": { args: [""] } } }
  reviewer: {}
approvals: { rules: [] }
`;

export const bench = async () => {
  if (!chromiumPath())
    return [{ what: 'Long tasks of the pages', figure: '–', more: 'there is no Chromium here' }];
  const [agent, plain] = [await startAgent(), await startPlain()];
  const stage = await openStage({ agentUrl: agent.url, policy: POLICY });
  const browser = await openBrowser();
  try {
    const [hub] = stage.hubs;
    const tokens = { customer: await tokenFor(hub, 'customer'), operator: await tokenFor(hub, 'operator') };
    const given = { hub, tokens, browser, plain };
    return [...(await streamed(given)), ...(await longLog(given))];
  } finally {
    await browser.close();
    plain.stop();
    agent.stop();
    await stage.stop();
  }
};
