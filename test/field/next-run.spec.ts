/** Proves that a thread is free the moment its run's end is shown, however the run ended and wherever that is seen. */
import type { AguiEvent } from '@triptych/protocol';
import { AMELIA } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { FieldStage, STAGE_MS } from './stage.js';
import { frame, type Answer } from './told-agent.js';
import { finished, opens, says, started } from './words.js';

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage.stop(), STAGE_MS);

describe('the moment after the end', () => {
  verifies(
    'HUB-46',
    'SL-14: whoever sees a run’s end may begin the next at once, by any door',
    async () => {
      const thread = 'sl-14';
      await stage.open(thread);
      const screen = await stage.screen(thread, 'customer');
      const watched = await stage.attach(thread, 'operator');
      const token = await stage.product.token(AMELIA);
      for (let nth = 1; nth <= 50; nth += 1) {
        const runId = `run-${nth}`;
        stage.agent.tell(thread, [started(thread, runId), finished(thread, runId)]);
        // Neither waits for anything but the end it was shown.
        if (nth % 2 === 0)
          await screen.ask('run', { agentId: 'told', threadId: thread, runId, messages: [] });
        else {
          const body = { threadId: thread, runId, messages: [], tools: [], context: [] };
          const response = await stage.product.fetch('/v1/agents/told/run', { token, body });
          expect(response.status).toBe(200);
        }
        await screen.until(thread, ({ run }) => run?.finished?.['runId'] === runId);
      }
      await watched.leave();
      await screen.close();
    },
    STAGE_MS,
  );

  const question = (thread: string, runId: string): AguiEvent =>
    finished(thread, runId, {
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: `${runId}-i`, reason: 'input_required', message: '?' }],
      },
    });
  /** How a run may end, and what its reader is shown last. */
  const endings: readonly ((thread: string, runId: string) => Answer)[] = [
    (thread, runId) => [started(thread, runId), finished(thread, runId)],
    (thread, runId) => [started(thread, runId), { type: 'RUN_ERROR', message: 'broken' }],
    (thread, runId) => [started(thread, runId), opens('m')],
    (thread, runId) => [started(thread, runId), says('nobody', 'x')],
    () => [],
    (thread, runId) => (response) => void response.write(frame(started(thread, runId))),
  ];

  verifies(
    'HUB-46',
    'SL-14: is soon enough for the next run, however the last one ended, and on any hub',
    async () => {
      const thread = 'sl-14-ends';
      await stage.open(thread);
      const other = await stage.product.anotherHub();
      const [here, there] = await Promise.all([
        stage.screen(thread, 'customer'),
        stage.screen(thread, 'customer', { url: other.url }),
      ]);
      for (let nth = 0; nth < 36; nth += 1) {
        const runId = `run-${nth}`;
        const ending = endings[nth % endings.length];
        const [watcher, asker] = nth % 2 === 0 ? [here, there] : [there, here];
        stage.agent.tell(thread, ending?.(thread, runId) ?? []);
        await asker.ask('run', { agentId: 'told', threadId: thread, runId, messages: [] });
        if (nth % endings.length === 5) {
          await watcher.until(thread, ({ run }) => run?.started?.['runId'] === runId);
          await asker.ask('cancel', { threadId: thread, runId });
        }
        await watcher.until(
          thread,
          ({ run }) => run?.started?.['runId'] === runId && (run.finished ?? run.error) !== undefined,
        );
      }
      await Promise.all([here.close(), there.close()]);
      await other.stop();
    },
    STAGE_MS,
  );

  verifies(
    'HUB-46',
    'SL-14: is soon enough to answer what the run asked, and for the run after that',
    async () => {
      const thread = 'sl-14-asks';
      await stage.open(thread);
      const screen = await stage.screen(thread, 'customer');
      const run = (runId: string, more: object = {}) =>
        screen.ask('run', { agentId: 'told', threadId: thread, runId, messages: [], ...more });
      for (let nth = 0; nth < 15; nth += 1) {
        const [asking, answer] = [`ask-${nth}`, `answer-${nth}`];
        stage.agent.tell(thread, [started(thread, asking), question(thread, asking)]);
        await run(asking);
        await screen.until(thread, ({ pending }) => pending?.finished['runId'] === asking);
        stage.agent.tell(thread, [started(thread, answer), finished(thread, answer)]);
        await run(answer, {
          resume: [{ interruptId: `${asking}-i`, status: 'resolved', payload: { said: nth } }],
        });
        await screen.until(thread, ({ run: last }) => last?.finished?.['runId'] === answer);
      }
      await screen.close();
    },
    STAGE_MS,
  );
});
