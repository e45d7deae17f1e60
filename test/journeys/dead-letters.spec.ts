/** An operator sees on the page what could not be delivered, and has it sent again with one press. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AMELIA, until } from '@triptych/testkit';
import { FakeReceiver } from '../fakes/webhooks/fake-receiver.js';
import { verifies } from '../spec/verifies.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf } from './wire.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const dir = mkdtempSync(join(tmpdir(), 'triptych-letters-'));

let agent: QuickAgent;
let crm: FakeReceiver;
const stage = onPages(async () => {
  agent = await quickAgent();
  crm = await FakeReceiver.start([SECRET]);
  const BRIDGES_FILE = join(dir, 'bridges.yaml');
  const place = `{ id: crm, kind: webhook, address: '${crm.url}', secrets: ['${SECRET}'] }`;
  writeFileSync(BRIDGES_FILE, `destinations: [${place}]\nroutes: [{ to: [crm] }]\n`);
  return { AGENTS_FILE: agent.agentsFile, BRIDGES_FILE };
});
afterAll(async () => {
  await Promise.all([agent?.stop(), crm?.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

describe('what did not arrive', () => {
  verifies(
    'BRG-125',
    'stands on the operator’s page with why, is sent again at a press, and is gone when it arrived',
    inBrowser(async () => {
      crm.meet({ kind: 'answer', status: 410 });
      const token = await stage.product.token(AMELIA);
      const body = inputOf('undelivered', 'ask, then fail');
      await (await stage.product.fetch('/v1/agents/quick/run', { token, body })).text();
      const { page, complaints } = await stage.open('/operator?view=batches');
      await page.getByText('Messages that did not arrive').waitFor();
      await page.getByText('the endpoint says that it is gone (410)').waitFor();
      expect(crm.messages.size).toBe(0);
      await page.getByRole('button', { name: 'Send again', exact: true }).click();
      await until(() => Promise.resolve(crm.messages.size === 1));
      expect([...crm.messages.values()]).toMatchObject([
        { type: 'task.created', data: { threadId: 'undelivered' } },
      ]);
      await page.getByText('Messages that did not arrive').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );
});
