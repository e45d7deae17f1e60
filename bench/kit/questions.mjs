/** Fills a Redis with open questions, as a hub stores them: one thread, batch and task each. */
import { ensureBuilt } from '../../scripts/build.mjs';

export const GROUPS = Array.from({ length: 10 }, (_, n) => `desk-${n}`);
export const TOOLS = Array.from({ length: 20 }, (_, n) => `tool-${n}`);
export const REDACTED = 'secret';
const DAY_MS = 86_400_000;
/** Batches stored by one question to Redis. */
const STEP = 500;

/** A rule for each desk, by the first letters of the agent's reason; what is redacted makes two texts of each. */
export const POLICY = `
surfaces:
  customer: {}
  reviewer: { tools: { "*": { args: [""], redact: ["/${REDACTED}"] } } }
approvals:
  rules:
${GROUPS.map((group) => `    - { id: ${group}, match: { reason: 'ask:${group}' }, groups: [${group}], dueMs: ${DAY_MS} }`).join('\n')}
`;

const argsOf = (n) => ({
  customer: `Customer ${n}`,
  amount: 100 + n,
  currency: 'EUR',
  iban: `CH93 0076 2011 6238 ${String(n).padStart(6, '0')}`,
  purpose: ['rent', 'salary', 'invoice', 'savings'][n % 4],
  note: 'Asked by letter, checked by the back office, and waiting for somebody to have a look at it.',
  [REDACTED]: `only-operators-${n}`,
});

const runOf = (n, count, now) => ({
  threadId: `question-${n}`,
  tenant: 'default',
  agentId: 'bench',
  owner: `customer-${n % 1_000}`,
  requesters: [`customer-${n % 1_000}`],
  runId: 'r1',
  // Asked over the last hour.
  now: now - Math.floor(((count - n) / count) * 3_600_000),
  interrupts: [
    {
      id: 'i1',
      reason: `ask:${GROUPS[n % GROUPS.length]}`,
      message: `Please look at ${n}.`,
      toolCallId: 'c1',
    },
  ],
  toolCalls: new Map([['c1', { name: TOOLS[n % TOOLS.length], argsText: JSON.stringify(argsOf(n)) }]]),
});

/** `runAt(n, now)`: what a run asked, of so many; with bridges they are told of it. */
export const askRuns = async (redis, { policy: text, count, runAt, noticed = false }) => {
  ensureBuilt();
  const from = (path) => import(`../../dist/libs/${path}.js`);
  const { parsePolicyText, rulingFor } = await from('access/src/index');
  const { openBatch } = await from('approvals/src/core/open-batch');
  const { RedisApprovalStore } = await from('approvals/src/adapters/redis-approval-store');
  const policy = parsePolicyText(text, 'policy.yaml').value;
  const store = new RedisApprovalStore(redis, { noticed });
  const now = await store.now();
  const batchOf = (n) => {
    const run = runAt(n, now);
    return openBatch(run, {
      tag: store.tagOf(run.threadId),
      rulingOn: (question) => rulingFor(policy, question),
    });
  };
  const asked = [];
  for (let at = 0; at < count; at += STEP) {
    const batches = Array.from({ length: Math.min(STEP, count - at) }, (_, n) => batchOf(at + n));
    await Promise.all(batches.map((batch) => store.announce(batch)));
    const step = redis.pipeline();
    for (const batch of batches)
      for (const [name, ...args] of store.openingRiders(batch)) step.call(name, ...args);
    for (const [error] of await step.exec()) if (error) throw error;
    asked.push(...batches.flatMap(({ tasks }) => tasks));
  }
  return asked;
};

export const askQuestions = (redis, count) =>
  askRuns(redis, { policy: POLICY, count, runAt: (n, now) => runOf(n, count, now) });
