/** Shows the calls of a client's own tools to that client: as it made them, save what people answer to some of them. */
import { readArguments } from '../exact-json.js';
import type { ToolView } from '../policy.js';
import { NO_RULE } from '../policy-schema.js';
import { mayMatch, rulingFor, type Question } from '../ruling.js';
import { shapeOf, type Shape } from '../shape.js';
import type { Call, ProjectedView } from './view.js';

/** A client's own tool is shown to it as it called it. */
export const AS_IT_IS: ToolView = { args: shapeOf(['']), result: shapeOf(['']), proposal: shapeOf(['']) };

const APPROVED_ALONE = shapeOf(['/approved']);

const questionOn = ({ thread }: ProjectedView, { name, text }: Call): Omit<Question, 'at'> => ({
  ...thread,
  source: 'frontend_tool',
  reason: 'tool_call',
  toolName: name,
  ...readArguments(text),
});

/** APR-51: a call that people answer is not its client's to answer. */
export const isForOthers = (view: ProjectedView, call: Call, at: number): boolean =>
  call.shownAs === AS_IT_IS && rulingFor(view.policy, { ...questionOn(view, call), at }).rule !== NO_RULE;

/** APR-52: what people say to an agent is not said to its client. At whatever hour: what was shown once may come again. */
export const resultShapeOf = (view: ProjectedView, call: Call): Shape | undefined =>
  call.shownAs === AS_IT_IS && mayMatch(view.policy, questionOn(view, call))
    ? APPROVED_ALONE
    : call.shownAs?.result;
