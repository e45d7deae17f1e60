/** What a newcomer has with `npm start -- --with-fakes`: a question in a chat on this machine, decided there. */
import type { TaskView } from '@triptych/protocol';
import { AMELIA, Product, TOVE, until } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';

const UP_MS = 120_000;
const TRY_MS = 90_000;

interface Shown {
  readonly messages: readonly { readonly channel: string; readonly ts: string; readonly blocks: unknown }[];
}

let product: Product;
beforeAll(async () => {
  product = await Product.start({}, ['--with-fakes']);
}, UP_MS);
afterAll(async () => {
  await product?.stop();
}, UP_MS);

const askForRefund = async (): Promise<void> => {
  const messages = [{ id: 'm', role: 'user', content: 'My parcel never came' }];
  const body = {
    threadId: 'refund',
    runId: 'run',
    messages,
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  const token = await product.token(AMELIA);
  await (await product.fetch('/v1/agents/refund/run', { body, token })).text();
};

describe('the product with fakes', () => {
  verifies(
    'BRG-59',
    'has a page of a channel, on which a question of an agent is decided as one of its people, and a chat that shows it',
    async () => {
      const page = product.addressOf('fake-slack');
      expect(await (await fetch(page)).text()).toContain('A Slack channel, faked on this machine');
      await askForRefund();
      const state = async () => (await (await fetch(`${page}/page/state?user=U0TOVE`)).json()) as Shown;
      await until(async () => (await state()).messages.length === 1);
      const [{ channel, ts }] = (await state()).messages as [Shown['messages'][number]];
      const click = { user: 'U0TOVE', channel, ts, action: 'tt.approve' };
      const acked = await fetch(`${page}/page/click`, { method: 'POST', body: JSON.stringify(click) });
      expect(await acked.json()).toMatchObject({ status: 200 });
      await until(async () =>
        JSON.stringify((await state()).messages).includes('Approved by Tove Lindqvist'),
      );
      const chat = product.addressOf('fake-teams');
      await until(async () => (await (await fetch(chat)).text()).includes('Approved by Tove Lindqvist'));
      // And both of them are told how the run went on.
      await until(async () => JSON.stringify((await state()).messages).includes('The run is over.'));
      await until(async () => (await (await fetch(chat)).text()).includes('The run is over.'));
      const token = await product.token(TOVE);
      const past = '/v1/approvals?state=decided,dispatched,closed';
      const { items } = await product.json<{ items: readonly TaskView[] }>(past, { token });
      expect(items).toMatchObject([{ decision: { kind: 'approved', by: ['tove'] } }]);
    },
    TRY_MS,
  );
});
