/** Reads a decision that a program brings for somebody: strictly, for nobody is there to be asked what was meant. */
import { readArguments } from '@triptych/access';
import { isPrintableId, ok, refuse, type Result } from '@triptych/protocol';
import { parseObject } from '../http/parse-object.js';

export interface BroughtDecision {
  readonly taskId: string;
  /** What the program calls the person for whom it speaks. */
  readonly onBehalfOf: string;
  /** As it would come by the other doors. */
  readonly decision: Readonly<Record<string, unknown>>;
}

const SAID = ['rev', 'verb', 'proposalHash', 'payload', 'editedArgs', 'reason'];
const MEMBERS: ReadonlySet<string> = new Set(['taskId', 'onBehalfOf', ...SAID]);

const refuseAt = (pointer: string, message: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

export const readDecision = (bytes: Uint8Array): Result<BroughtDecision> => {
  const read = readArguments(Buffer.from(bytes).toString());
  if (read.args === undefined)
    return refuseAt(
      '',
      'The body must be JSON without repeated names, and with numbers that all sides read alike.',
    );
  const body = parseObject(read.args);
  if (!body.ok) return body;
  const stranger = Object.keys(body.value).find((name) => !MEMBERS.has(name));
  if (stranger !== undefined) return refuseAt(`/${stranger}`, 'This is no part of a decision.');
  const { taskId, onBehalfOf, ...decision } = body.value;
  if (!isPrintableId(taskId)) return refuseAt('/taskId', 'taskId names the task that is decided.');
  if (!isPrintableId(onBehalfOf))
    return refuseAt('/onBehalfOf', 'onBehalfOf names the linked person for whom this is decided.');
  return ok({ taskId, onBehalfOf, decision });
};
