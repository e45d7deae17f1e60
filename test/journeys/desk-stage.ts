/** What journeys at the desk do beside it: customers ask, colleagues decide. */
import { TASK_STATES, type TaskView } from '@triptych/protocol';
import { AMELIA, type Person, type Product } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { inputOf } from './wire.js';

export const RUTH: Person = {
  sub: 'ruth',
  roles: ['supervisor'],
  groups: ['refunds', 'advisors'],
  name: 'Ruth Okafor',
};

export const deskStage = (stage: { readonly product: Product }) => {
  const ask = async (agent: string, thread: string, words: string): Promise<void> => {
    const token = await stage.product.token(AMELIA);
    const body = inputOf(thread, words);
    await (await stage.product.fetch(`/v1/agents/${agent}/run`, { body, token })).text();
  };
  const taskOf = async (thread: string): Promise<TaskView> => {
    const token = await stage.product.token(RUTH);
    const path = `/v1/approvals?state=${TASK_STATES.join()}&threadId=${thread}`;
    const { items } = await stage.product.json<{ items: readonly TaskView[] }>(path, { token });
    return items[0]!;
  };
  /** Somebody else is faster. */
  const decide = async (thread: string, more: object = {}): Promise<void> => {
    const token = await stage.product.token(RUTH);
    const { taskId, rev, proposalHash } = await taskOf(thread);
    const body = { verb: 'approve', proposalHash, ...more };
    const headers = { 'if-match': `"${rev}"` };
    const answer = await stage.product.fetch(`/v1/approvals/${taskId}/decide`, { body, token, headers });
    expect(answer.status).toBe(200);
  };
  return {
    taskOf,
    decide,
    askForRefund: (thread: string) => ask('refund', thread, 'My parcel never came'),
    askForAccount: (thread: string, millions: number) =>
      ask('onboarding', thread, `I would like to open an account with ${millions} million`),
  };
};

export const rows = (page: Page) => page.locator('#tasks .task');

export const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
