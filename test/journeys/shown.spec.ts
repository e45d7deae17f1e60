/** Proves that an operator is told, event by event, what the other surfaces are shown. */
import { randomUUID } from 'node:crypto';
import { emptyModel, modelStep, type AguiEvent } from '@triptych/protocol';
import { AMELIA, MO, TOVE } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';
import { inputOf } from './wire.js';

const JOURNEY_MS = 90_000;

interface ShownItem {
  readonly seq: number;
  readonly seen: Readonly<Record<'customer' | 'reviewer', string>>;
  readonly shown?: Readonly<Record<'customer' | 'reviewer', readonly AguiEvent[]>>;
}

const held = (events: readonly AguiEvent[]) => {
  const { messages, state } = events.reduce(modelStep, emptyModel());
  return { messages, state };
};

verifies(
  'HUB-130',
  'put together, what is told event by event is what each surface holds; nobody else is told it',
  async () => {
    const threadId = `shown-${randomUUID()}`;
    const token = await product.token(AMELIA);
    const input = inputOf(threadId, 'I would like to open an account with 2 million');
    await (await product.fetch('/v1/agents/onboarding/run', { token, body: input })).text();
    const operator = await product.token(MO);
    const path = `/v1/threads/${threadId}/log?limit=1000&shown=true`;
    const { items } = await product.json<{ items: ShownItem[] }>(path, { token: operator });
    expect(items.length).toBeGreaterThan(20);
    for (const surface of ['customer', 'reviewer'] as const) {
      const told = items.flatMap(({ shown }) => shown?.[surface] ?? []);
      const whole = await product.json<{ events: AguiEvent[] }>(
        `/v1/threads/${threadId}/snapshot?surface=${surface}`,
        { token: operator },
      );
      expect([surface, held(told)]).toEqual([surface, held(whole.events)]);
      for (const { seen, shown } of items)
        if (seen[surface] === 'hidden') expect(shown?.[surface]).toEqual([]);
    }
    const hidden = items.filter(({ seen }) => seen.customer === 'hidden');
    expect(hidden.length).toBeGreaterThan(0);
    const plain = await product.json<{ items: ShownItem[] }>(`/v1/threads/${threadId}/log`, {
      token: operator,
    });
    expect(plain.items.every((item) => !('shown' in item))).toBe(true);
    for (const person of [AMELIA, TOVE])
      expect((await product.fetch(path, { token: await product.token(person) })).status).toBe(403);
    const odd = await product.fetch(`/v1/threads/${threadId}/log?shown=1`, { token: operator });
    expect(await odd.json()).toMatchObject({
      error: { code: 'INVALID_INPUT', details: { pointer: '/shown' } },
    });
  },
  JOURNEY_MS,
);
