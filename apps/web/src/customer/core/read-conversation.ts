/** Reads from a thread's model everything the customer's page shows. */
import { pendingInterruptsOf, runStatusOf, stepsOf, type Model } from '@triptych/protocol';
import { titleFrom } from '../../shared/plain-text.js';
import { CARD_NAME, readCard } from './cards.js';
import type { Acting } from './progress.js';
import { runEnding, type RunEnding } from './run-ending.js';
import {
  turnsOf,
  waitingCalls,
  type HeldBefore,
  type HeldCall,
  type PlacedCard,
  type Turn,
  type TurnPart,
  type Unanswered,
} from './turns.js';
import { waitingOf, type Waiting } from './waiting.js';

export interface Reading {
  readonly turns: readonly Turn[];
  readonly running: boolean;
  readonly runId?: string;
  /** What is shown moves by itself: words that come, or a step under way. */
  readonly showsWork: boolean;
  /** Empty while a run is under way: it may be answering. */
  readonly waiting: Waiting;
  /** What an adviser is looking at. */
  readonly held: readonly HeldCall[];
  readonly ending?: RunEnding;
  readonly steps: { readonly finished: ReadonlySet<string>; readonly running: ReadonlySet<string> };
}

const NOBODY: Waiting = { questions: [] };

/** The kept cards: the same id keeps its first place and shows its last value. */
const keptCards = (model: Model): readonly PlacedCard[] => {
  const cards = new Map<string, PlacedCard>();
  for (const { event, after } of model.custom) {
    const card = event.name === CARD_NAME ? readCard(event.value) : undefined;
    if (card === undefined) continue;
    const first = cards.get(card.id);
    cards.set(card.id, { ...(first ?? { after }), card });
  }
  return [...cards.values()];
};

const unansweredIn = (model: Model, waiting: Waiting, running: boolean): Unanswered => {
  if (running) return 'running';
  if (waiting.hold !== undefined) return 'adviser';
  if (waiting.questions.length > 0) return 'you';
  const status = runStatusOf(model);
  if (status === 'cancelled' || model.run?.error?.code === 'hub/cancelled') return 'stopped';
  return status === 'failed' ? 'unclear' : 'over';
};

const endingOf = (model: Model, runId: string | undefined): RunEnding | undefined => {
  const status = runStatusOf(model);
  if (status === 'cancelled') return { kind: 'stopped' };
  const error = model.run?.error;
  return error === undefined ? undefined : runEnding(error, runId ?? '');
};

const isAtWork = (part: TurnPart): boolean => {
  if (part.kind === 'text') return part.streaming;
  if (part.kind === 'steps') return part.steps.some(({ state }) => state === 'running');
  return part.kind === 'held' && part.call.state === 'running';
};

const showsWork = (turn: Turn | undefined): boolean => turn?.who === 'assistant' && turn.parts.some(isAtWork);

export const readConversation = (
  model: Model,
  attachment: string,
  heldBefore: ReadonlyMap<string, HeldBefore>,
): Reading => {
  const running = runStatusOf(model) === 'running';
  const waiting = running ? NOBODY : waitingOf(pendingInterruptsOf(model));
  const openTexts = new Set(model.open.filter((item) => item.kind === 'text').map((item) => item.id));
  const runId = model.run?.started?.runId;
  const ending = endingOf(model, typeof runId === 'string' ? runId : undefined);
  const steps = stepsOf(model);
  const unanswered = unansweredIn(model, waiting, running);
  const turns = turnsOf(
    { messages: model.messages, openTexts, unanswered, heldBefore, cards: keptCards(model) },
    attachment,
  );
  return {
    turns,
    running,
    showsWork: showsWork(turns.at(-1)),
    waiting,
    held: waiting.hold === undefined ? [] : waitingCalls(model.messages, waiting.questions),
    steps: {
      finished: new Set(steps.filter((step) => step.done).map((step) => step.stepName)),
      running: new Set(steps.filter((step) => !step.done).map((step) => step.stepName)),
    },
    ...(typeof runId === 'string' ? { runId } : {}),
    ...(ending === undefined ? {} : { ending }),
  };
};

/** Who is to act next. */
export const actingOf = ({ running, waiting }: Pick<Reading, 'running' | 'waiting'>): Acting => {
  if (running) return 'agent';
  if (waiting.questions.length > 0) return 'you';
  return waiting.hold === undefined ? 'nobody' : 'adviser';
};

export const titleOf = (turns: readonly Turn[]): string | undefined => {
  const first = turns.find((turn) => turn.who === 'you');
  return first?.who === 'you' ? titleFrom(first.text) : undefined;
};
