/** Shows tool calls under their labels, with the arguments and results that the policy allows. */
import { parseExactJson } from '../exact-json.js';
import type { ToolView } from '../policy.js';
import { isPolicyTool } from '../projections.js';
import { cutTo, REDACTED } from '../shape.js';
import type { Shape } from '../shape.js';
import { lookUp, withEntry } from './long-map.js';
import { AS_IT_IS, resultShapeOf } from './own-calls.js';
import { closed, hidden, isForeign, opened, shownAs, withOpen } from './view.js';
import type { Call, ProjectedView, Show } from './view.js';
import { CONTENT, trim } from './fields.js';

/** A tool the policy names is never the client's, whatever the client calls its own. */
export const toolViewOf = (view: ProjectedView, tool: string): ToolView | undefined => {
  const { tools, otherTools } = view.allowed;
  const owned =
    view.surface === 'customer' && view.run.frontendTools.has(tool) && !isPolicyTool(view.policy, tool);
  return tools.get(tool) ?? (owned ? AS_IT_IS : otherTools);
};

export const nameOf = (shown: ToolView, tool: string): string => shown.label?.running ?? tool;

/** What cannot be cut is shown whole or not at all. */
const uncuttable = (shape: Shape): string => JSON.stringify(shape.allow.ends ? REDACTED : {});

/** JSON of what the shape lets through. */
export const cutText = (shape: Shape, text: string): string => {
  if (shape.whole || text === '') return text;
  const read = parseExactJson(text);
  return read.ok ? JSON.stringify(cutTo(shape, read.value)) : uncuttable(shape);
};

export const cutContent = (shape: Shape, content: unknown): unknown => {
  if (typeof content === 'string') return cutText(shape, content);
  return shape.whole ? CONTENT(content) : uncuttable(shape);
};

interface StartEvent {
  readonly toolCallId: string;
  readonly toolCallName: string;
  readonly parentMessageId?: string;
  readonly subagentRunId?: string;
}

/** ACC-20: once hidden, a call stays hidden on the whole thread; so does one that a hidden message carries. */
const viewOfCall = (view: ProjectedView, call: StartEvent): ToolView | undefined => {
  const known = lookUp(view.calls, call.toolCallId);
  if (known && !known.shownAs) return undefined;
  if (isForeign(view, call)) return undefined;
  if (call.parentMessageId !== undefined && lookUp(view.messages, call.parentMessageId) === false)
    return undefined;
  const allowed = toolViewOf(view, call.toolCallName);
  return allowed && (known?.shownAs ?? allowed);
};

export const showCallStart: Show = (view, { event }) => {
  const start = event as unknown as StartEvent;
  const { toolCallId, toolCallName } = start;
  const tool = viewOfCall(view, start);
  const known = lookUp(view.calls, toolCallId);
  const call: Call = known ?? { name: toolCallName, text: '', ...(tool ? { shownAs: tool } : {}) };
  const next: ProjectedView = {
    ...withOpen(view, {
      calls: opened(view.open.calls, toolCallId, { shown: tool !== undefined, text: '' }),
    }),
    calls: withEntry(view.calls, toolCallId, call),
    run: { ...view.run, touched: true },
  };
  if (!tool) return hidden(next);
  return shownAs(next, event, trim(event, { toolCallName: nameOf(tool, toolCallName) }));
};

/** Half a JSON text cannot be redacted: arguments wait for the end of the call. */
export const showCallArguments: Show = (view, { event }) => {
  const toolCallId = event['toolCallId'] as string;
  const open = view.open.calls.get(toolCallId);
  if (!open) return hidden(view);
  const next = withOpen(view, {
    calls: opened(view.open.calls, toolCallId, { ...open, text: open.text + String(event['delta']) }),
  });
  const args = open.shown ? lookUp(view.calls, toolCallId)?.shownAs?.args : undefined;
  if (!args || args.empty) return hidden(next);
  return { view: next, shown: [], seen: args.whole ? 'full' : 'redacted' };
};

export const showCallEnd: Show = (view, { event }) => {
  const toolCallId = event['toolCallId'] as string;
  const open = view.open.calls.get(toolCallId);
  const call = lookUp(view.calls, toolCallId);
  if (!open || !call) return hidden(view);
  const next: ProjectedView = {
    ...withOpen(view, { calls: closed(view.open.calls, toolCallId) }),
    calls: withEntry(view.calls, toolCallId, { ...call, text: call.text + open.text }),
  };
  if (!open.shown || !call.shownAs) return hidden(next);
  const end = trim(event);
  const step = shownAs(next, event, end);
  const delta = cutText(call.shownAs.args, open.text);
  return delta === '' ? step : { ...step, shown: [{ ...end, type: 'TOOL_CALL_ARGS', delta }, ...step.shown] };
};

export const showCallResult: Show = (view, { event }) => {
  const call = lookUp(view.calls, event['toolCallId'] as string);
  const touched: ProjectedView = { ...view, run: { ...view.run, touched: true } };
  const shape = call && resultShapeOf(view, call);
  if (!shape || isForeign(view, event))
    return hidden({ ...touched, messages: withEntry(view.messages, event['messageId'] as string, false) });
  const next = { ...touched, messages: withEntry(view.messages, event['messageId'] as string, true) };
  return shownAs(next, event, trim(event, { content: cutContent(shape, event['content']) }));
};
