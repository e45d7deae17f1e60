/** Everything one open conversation needs: what is shown, what is unsent, what can be done. */
import type { ThreadView } from '@triptych/client';
import type { Refusal, ResumeEntry, ThreadSummary } from '@triptych/protocol';
import { emptyModel } from '@triptych/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { useFetched } from '../shared/use-fetched.js';
import { useThread } from '../shared/use-thread.js';
import { readConversation, titleOf, type Reading } from './core/read-conversation.js';
import { standingOf, type Standing } from './core/thread-standing.js';
import { useHeldCalls } from './held-calls.js';
import { rememberTitle } from './titles.js';
import { useCustomerText } from './texts.js';
import { useOutbox, type OutboxTools } from './use-outbox.js';

export interface ConversationTools {
  readonly view: ThreadView | undefined;
  readonly reading: Reading;
  readonly standing: Standing | undefined;
  readonly summary: ThreadSummary | undefined;
  readonly outbox: OutboxTools;
  readonly stop: () => void;
  readonly answer: (entries: readonly ResumeEntry[]) => Promise<Refusal | undefined>;
}

const EMPTY = emptyModel();
const NOTHING_SHOWN: ReadonlySet<string> = new Set();

const useEndAnnounced = (reading: Reading): void => {
  const t = useCustomerText();
  const announce = useAnnounce();
  const was = useRef(false);
  const held = reading.waiting.hold !== undefined;
  useEffect(() => {
    if (was.current && !reading.running) announce(t(held ? 'a.hold' : 'a.answer'));
    was.current = reading.running;
  }, [reading.running, held, announce, t]);
};

export const useConversation = (threadId: string, defaultAgent: string | undefined): ConversationTools => {
  const t = useCustomerText();
  const { client } = useSurface();
  const [known, setKnown] = useState(false);
  const { fetched, again } = useFetched<ThreadSummary>(
    known ? `/v1/threads/${encodeURIComponent(threadId)}` : undefined,
  );
  const summary = fetched.state === 'there' ? fetched.value : undefined;
  const view = useThread(known ? threadId : undefined);
  const model = view?.model ?? EMPTY;
  const { known: heldBefore, note } = useHeldCalls(threadId);
  const reading = useMemo(
    () => readConversation(model, t('c.attachment'), heldBefore),
    [model, t, heldBefore],
  );
  useEffect(() => note(reading));
  const standing = useMemo(() => standingOf(threadId, model), [threadId, model]);
  const shown = useMemo(
    () =>
      model.messages.length === 0 ? NOTHING_SHOWN : new Set(model.messages.map((message) => message.id)),
    [model.messages],
  );
  const open = reading.waiting.hold !== undefined || reading.waiting.questions.length > 0;
  const free = view?.phase === 'live' && !reading.running && !open;
  const outbox = useOutbox({ threadId, agentId: summary?.agentId, defaultAgent, free, shown });
  useEffect(() => setKnown(outbox.exists), [outbox.exists]);
  useEndAnnounced(reading);
  useEffect(() => again(), [again, reading.running, outbox.exists]);
  useEffect(() => rememberTitle(threadId, titleOf(reading.turns)), [threadId, reading.turns]);
  return {
    view,
    reading,
    standing,
    summary,
    outbox,
    stop: () => {
      if (reading.runId !== undefined) void client.cancel(threadId, reading.runId);
    },
    answer: async (resume) => {
      if (summary === undefined) return undefined;
      const answer = await client.run({ agentId: summary.agentId, threadId, messages: [], resume });
      return answer.ok ? undefined : answer.refusal;
    },
  };
};
