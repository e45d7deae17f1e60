/** Proves that what is redacted is shown for a reason, and that this is known afterwards. */
import { AMELIA, BEN, MO, TOVE, until, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';

const JOURNEY_MS = 90_000;
const THREAD = 'journey-reveal';
/** One more than a person may in one go, and those that flow in meanwhile. */
const TOO_MANY = 60;

const ask = async (person: Person, body: object) => {
  const token = await product.token(person);
  const response = await product.fetch(`/v1/threads/${THREAD}/reveal`, { token, body });
  return { status: response.status, said: (await response.json()) as Record<string, unknown> };
};
const read = async <T>(person: Person, path: string): Promise<T> =>
  product.json<T>(path, { token: await product.token(person) });

const STATE = { pointer: '/application/taxId', reason: 'The name is spelt in two ways.' };

interface Findings {
  readonly items: readonly { readonly kind: string; readonly by?: string }[];
}
const reveals = async (): Promise<Findings['items']> => {
  const { items } = await read<Findings>(MO, `/v1/threads/${THREAD}/findings`);
  return items.filter(({ kind }) => kind === 'reveal');
};

describe('a redacted value', () => {
  verifies(
    'HUB-87',
    'of the state and of a proposal is shown to a reviewer who says why, and recorded',
    async () => {
      const screen = await product.screen('customer', AMELIA);
      const messages = [{ id: 'm', role: 'user', content: 'open an account with 2 million' }];
      await screen.ask('run', { agentId: 'onboarding', threadId: THREAD, runId: `${THREAD}-r`, messages });
      await screen.close();
      const tasks = async () =>
        (await read<{ items: TaskView[] }>(TOVE, `/v1/approvals?threadId=${THREAD}`)).items;
      await until(async () => (await tasks()).length > 0);
      const [task] = await tasks();
      const taskId = task?.taskId ?? '';
      const whole = await read<TaskView>(MO, `/v1/approvals/${taskId}`);
      const { taxId } = whole.proposal.args as { taxId: string };

      const ofTask = await ask(TOVE, { pointer: '/taxId', taskId, reason: STATE.reason });
      expect(ofTask).toEqual({ status: 200, said: { pointer: '/taxId', value: taxId } });
      const { history } = await read<TaskView>(TOVE, `/v1/approvals/${taskId}`);
      expect(history?.at(-1)).toMatchObject({
        by: TOVE.sub,
        action: 'reveal',
        pointer: '/taxId',
        text: STATE.reason,
      });

      expect(await ask(TOVE, STATE)).toEqual({ status: 200, said: { pointer: STATE.pointer, value: taxId } });
      expect(await reveals()).toEqual([
        {
          ...{ kind: 'reveal', at: expect.any(Number), by: TOVE.sub },
          ...{ pointer: STATE.pointer, message: STATE.reason },
        },
      ]);
      expect(JSON.stringify(await reveals())).not.toContain(taxId);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-87',
    'is not shown without a reason, to others, or too often, and nothing is recorded of that',
    async () => {
      const before = (await reveals()).length;
      for (const reason of [undefined, '', '  ', 7])
        expect(await ask(TOVE, { ...STATE, reason })).toMatchObject({
          said: { error: { code: 'INVALID_INPUT', details: { pointer: '/reason' } } },
        });
      expect((await ask(TOVE, { ...STATE, pointer: 'taxId' })).status).toBe(400);
      expect((await ask(TOVE, { ...STATE, pointer: '/application/riskNotes/x' })).status).toBe(404);
      expect((await ask(AMELIA, STATE)).status).toBe(403);
      expect((await ask(BEN, STATE)).status).toBe(403);
      expect((await ask({ sub: 'otto', roles: ['reviewer'], groups: ['none'] }, STATE)).status).toBe(404);
      expect(await reveals()).toHaveLength(before);

      const many = await Promise.all(Array.from({ length: TOO_MANY }, () => ask(MO, STATE)));
      const passed = many.filter(({ status }) => status === 200).length;
      const refused = many.filter(({ status }) => status === 429);
      expect(passed + refused.length).toBe(TOO_MANY);
      expect(refused[0]?.said).toMatchObject({
        error: { code: 'RATE_LIMITED', details: { limit: 'REVEALS' } },
      });
      expect(await reveals()).toHaveLength(Math.min(before + passed, 50));
    },
    JOURNEY_MS,
  );
});
