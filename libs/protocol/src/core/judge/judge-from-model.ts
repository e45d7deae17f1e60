/** Takes a judgement up where another process left it: from the folded thread, and the little that the fold does not show. */
import type { AguiEvent, KnownEvent } from '../agui.js';
import { prelude } from '../model/prelude.js';
import type { Model } from '../model/model.js';
import { chunkKind } from './chunk-kinds.js';
import type { Dialect } from './dialect.js';
import { beginJudge, type Expected, type JudgeState } from './judge.js';
import type { Lane } from './lanes.js';
import { stepGrammar } from './step-grammar.js';

/** As JSON text: chunks being put together, and spans of earlier versions that carry no id. '' says that there is nothing. */
export type JudgeResidue = string;

type StoredLane = Omit<Lane, 'kind'> & { readonly chunk: string };
interface Stored {
  readonly lanes: readonly StoredLane[];
  readonly dialect: Dialect;
}

export const judgeResidue = ({ lanes, dialect }: JudgeState): JudgeResidue => {
  if (lanes.size === 0 && dialect.made === 0) return '';
  const stored: Stored = {
    lanes: [...lanes.values()].map(({ kind, ...lane }) => ({ ...lane, chunk: kind.chunk })),
    dialect,
  };
  return JSON.stringify(stored);
};

const withResidue = (state: JudgeState, residue: JudgeResidue): JudgeState => {
  if (residue === '') return state;
  const { lanes, dialect } = JSON.parse(residue) as Stored;
  // A run that somebody else has ended took its lanes along.
  for (const { chunk, ...lane } of state.run.phase === 'open' ? lanes : []) {
    const kind = chunkKind(chunk);
    if (kind) state.lanes.set(lane.owner, { ...lane, kind });
  }
  return { ...state, dialect };
};

const firstRunOf = (events: readonly AguiEvent[], asked: string): string => {
  const started = events.find(({ type }) => type === 'RUN_STARTED');
  return typeof started?.runId === 'string' ? started.runId : asked;
};

/** Who joins at this point may be sent what is legal here, and nothing else: the prelude stands for all that was before. */
export const judgeFromModel = (
  model: Model,
  expected: Omit<Expected, 'history'>,
  residue: JudgeResidue = '',
): JudgeState => {
  const before = prelude(model);
  const runId = firstRunOf(before, expected.runId);
  const state = beginJudge({ ...expected, runId, history: model.messages });
  for (const event of before) stepGrammar(state.run, event as unknown as KnownEvent);
  return withResidue(state, residue);
};
