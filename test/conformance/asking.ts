/** Runs that ask something, and what becomes of the answers. */
import type { RunAgentInput, TaskView } from '@triptych/protocol';
import { until, type Person } from '@triptych/testkit';
import { answeredWith, colleague, type Answered } from './desk.js';
import { frames, type Reply } from './loopback-agent.js';
import { expectLegal, play, stand, type Setting } from './suite.js';
import { asks, names, RF, RS, type RunNames } from './words.js';

export type Resume = NonNullable<RunAgentInput['resume']>;
export const approved = (interruptId: string): Resume[number] => ({
  interruptId,
  status: 'resolved',
  payload: { approved: true },
});

export const EDITABLE = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
  required: ['approved'],
};

export const finish: Reply = (run) => frames([RS(names(run)), RF(names(run))]);

/** A run that asked these questions, and what its agent answers to what follows. */
export const asked = async (questions: readonly object[], ...then: readonly Reply[]): Promise<Setting> => {
  const played = await play((run) => [RS(run), asks(run, ...(questions as { id: string }[]))]);
  await expectLegal(played);
  stand().agent.will(played.threadId, ...then);
  return played;
};

/** Asks for a run by the plain door, as any client may. */
export const post = async (
  { threadId }: RunNames,
  input: Partial<RunAgentInput>,
  person: Person,
  query = '',
): Promise<Answered> => {
  const body = { threadId, runId: `again-${Math.random()}`, messages: [], tools: [], context: [], ...input };
  const token = await stand().token(person);
  const response = await stand().product.fetch(`/v1/agents/played/run${query}`, { token, body });
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status: response.status, body: await response.text() };
  return answeredWith(response);
};

export const resumes = ({ threadId }: RunNames): Resume[] =>
  stand()
    .agent.asked(threadId)
    .flatMap(({ resume }) => (resume ? [[...resume]] : []));

export const resumeOf = async (run: RunNames): Promise<Resume> => {
  await until(() => resumes(run).length > 0);
  return resumes(run).at(-1) ?? [];
};

export const taskNow = async ({ taskId }: TaskView, person = colleague()): Promise<TaskView> => {
  const token = await stand().token(person);
  return stand().product.json<TaskView>(`/v1/approvals/${encodeURIComponent(taskId)}`, { token });
};

export const closed = async (task: TaskView): Promise<TaskView> => {
  let now = task;
  await until(async () => {
    now = await taskNow(task);
    return now.state === 'closed';
  });
  return now;
};

/** The batch was sent, its run is over, and the thread takes runs again. */
export const isFree = async ({ threadId, token }: Setting): Promise<void> =>
  until(async () => {
    const thread = await stand().product.json<{ status: string; openInterrupts: unknown[] }>(
      `/v1/threads/${threadId}`,
      { token },
    );
    return thread.status === 'idle' && thread.openInterrupts.length === 0;
  });
