/** Has the agent say something in a thread, and waits until it has said all of it. */
import { randomUUID } from 'node:crypto';

/** `count` events and a few around them, one every `everyMs`; 0: all at once. */
export const tell = async ({ hub, tokens }, { threadId, runId = randomUUID(), count, everyMs = 0 }) => {
  const messages = [{ id: randomUUID(), role: 'user', content: JSON.stringify({ count, everyMs }) }];
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.customer}` };
  const body = JSON.stringify({ threadId, runId, messages, tools: [], context: [] });
  const answer = await fetch(`${hub.url}/v1/agents/bench/run`, { method: 'POST', headers, body });
  const said = await answer.text();
  if (!answer.ok || !said.includes('RUN_FINISHED'))
    throw new Error(`a run did not end: ${answer.status} ${said.slice(-200)}`);
};

/** A thread of at least so many events, of which each run says `aRun`; of fewer when time is up before. */
export const tellThread = async (given, { events, aRun, withinMs = Number.POSITIVE_INFINITY }) => {
  const threadId = randomUUID();
  const began = performance.now();
  for (let told = 0; told < events && performance.now() - began < withinMs; told += aRun)
    await tell(given, { threadId, count: aRun });
  return threadId;
};
