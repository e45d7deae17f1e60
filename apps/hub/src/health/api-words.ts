/** What is said of the HTTP doors, by method and path. */
export interface DoorWords {
  readonly says: string;
  readonly query?: readonly string[];
}

const PAGE = ['cursor', 'limit'];

export const API_WORDS: Readonly<Record<string, DoorWords>> = {
  'POST /v1/dev/token': { says: 'Hands out a token for a made-up person; in dev mode alone.' },
  'GET /.well-known/jwks.json': { says: 'Tells the keys that decisions and checkpoints are verified with.' },
  'GET /v1/config': { says: 'Tells pages how to sign in.' },
  'GET /v1/agents': { says: 'Lists the agents the caller may use.' },
  'POST /v1/agents/{agent}/run': { says: 'Takes a RunAgentInput and streams its run.', query: ['hold'] },
  'POST /v1/agents/{agent}/connect': {
    says: 'Streams a thread as it stands, then live until nothing is under way.',
  },
  'GET /copilotkit/info': { says: 'Tells CopilotKit’s clients which agents the caller may use.' },
  'POST /copilotkit/agent/{agent}/run': {
    says: 'Is run, where CopilotKit’s clients look for it.',
    query: ['hold'],
  },
  'POST /copilotkit/agent/{agent}/connect': { says: 'Is connect, where CopilotKit’s clients look for it.' },
  'POST /copilotkit/agent/{agent}/stop/{thread}': { says: 'Ends the run that a thread has now.' },
  'POST /v1/threads': { says: 'Creates a thread.' },
  'GET /v1/threads': { says: 'Lists threads, newest first.', query: ['status', 'agent', 'q', ...PAGE] },
  'GET /v1/threads/{thread}': { says: 'Tells where a thread stands.', query: ['surface'] },
  'GET /v1/threads/{thread}/snapshot': {
    says: 'Tells all that a surface shows of a thread; operators also as it was.',
    query: ['surface', 'at', 'profile'],
  },
  'GET /v1/threads/{thread}/events': {
    says: 'Streams a surface of a thread; goes on from Last-Event-ID.',
    query: ['surface', 'after', 'profile', 'ticket'],
  },
  'POST /v1/threads/{thread}/events': { says: 'Takes events that an agent pushes.' },
  'GET /v1/threads/{thread}/log': {
    says: 'Lists stored and refused events, and who was shown what.',
    query: ['after', 'limit', 'shown'],
  },
  'GET /v1/threads/{thread}/subscribers': {
    says: 'Tells who reads a thread on this instance, and how far behind.',
  },
  'GET /v1/threads/{thread}/findings': { says: 'Lists what was worth a look.', query: PAGE },
  'POST /v1/threads/{thread}/reveal': { says: 'Tells one redacted value to whoever says why; recorded.' },
  'GET /v1/threads/{thread}/runs/{run}': { says: 'Tells what became of a run.', query: ['surface'] },
  'GET /v1/threads/{thread}/runs/{run}/tree': {
    says: 'Tells the subagents of a run and the runs begun for it.',
    query: ['surface'],
  },
  'POST /v1/threads/{thread}/runs/{run}/cancel': { says: 'Ends a run.' },
  'POST /v1/threads/{thread}/runs/{run}/extend': { says: 'Gives a run more time as a whole.' },
  'GET /v1/policy': { says: 'Tells which policy is in force, and where a file that was not taken is wrong.' },
  'GET /v1/approvals': {
    says: 'Lists the tasks the caller is a candidate for.',
    query: [
      ...['state', 'group', 'assignee', 'reason', 'tool', 'agent', 'threadId', 'holder', 'q', 'sort'],
      ...['dueAfter', 'dueBefore', 'minAmount', 'maxAmount', 'minPriority', 'decision', 'endedAfter'],
      ...PAGE,
    ],
  },
  'GET /v1/approvals/facets': {
    says: 'Counts what is open for the caller by group, agent, tool and holder.',
  },
  'GET /v1/approvals/{task}': { says: 'Tells a task with its history.' },
  'GET /v1/approvals/{task}/receipt': { says: 'Proves the decision on a task to anybody.' },
  'GET /v1/deadletters': { says: 'Lists what could not be delivered, newest first.', query: PAGE },
  'POST /v1/deadletters/{id}/resend': { says: 'Has it tried again at once; recorded.' },
  'GET /v1/batches': { says: 'Lists the batches that need a person.', query: ['state', ...PAGE] },
  'POST /v1/approvals/decide': { says: 'Decides many tasks, each by itself.' },
  'POST /v1/approvals/{task}/{command}': { says: 'Does to a task what a person asks.' },
  'POST /v1/batches/{batch}/retry': { says: 'Sends the answers of a batch again.' },
  'POST /v1/batches/{batch}/reopen': { says: 'Puts the questions of a batch to people once more.' },
  'POST /v1/batches/{batch}/cancel': {
    says: 'Tells the agent that nobody answers the questions of a batch.',
  },
  'POST /v1/batches/{batch}/mark-done': { says: 'Declares a batch done and frees its thread.' },
  'GET /v1/audit': {
    says: 'Lists sealed records, newest first.',
    query: ['from', 'to', 'actor', 'action', 'thread', 'task', ...PAGE],
  },
  'GET /v1/audit/export': {
    says: 'Downloads sealed records in order, as lines or as a table.',
    query: ['format', 'from', 'to', 'actor', 'action', 'thread', 'task'],
  },
  'GET /v1/audit/checkpoints': {
    says: 'Lists the checkpoints that vouch for the trail.',
    query: ['format', ...PAGE],
  },
  'POST /v1/bridges/slack/interactions': { says: 'Takes what people press in Slack, signed by Slack.' },
  'POST /v1/bridges/slack/events': { says: 'Takes what happens in Slack, signed by Slack.' },
  'POST /v1/bridges/teams/messages': {
    says: 'Takes what people write and press in Teams, signed by Bot Framework.',
  },
  'POST /v1/bridges/decisions': {
    says: 'Takes a decision that a program brings for a linked person, signed.',
  },
  'POST /v1/revocations': { says: 'Takes tokens back: one, all of a subject, or those of a role.' },
  'GET /v1/health': { says: 'Tells operators how this instance, the queues and the store are.' },
  'POST /v1/tickets': { says: 'Gives a ticket for one socket, or for the events of one thread.' },
  'GET /health/live': { says: 'Says that the process lives.' },
  'GET /health/ready': { says: 'Says whether it can serve.' },
  'GET /metrics': { says: 'Tells figures in the text format of Prometheus.' },
  'GET /docs': { says: 'Tells this document.' },
};
