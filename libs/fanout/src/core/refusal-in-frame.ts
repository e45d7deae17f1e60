/** Says of a refusal where in the frame its reason stands: whoever answers a frame speaks of what it carries. */
import type { Refusal } from '@triptych/protocol';

export const refusalInFrame = (no: Refusal): Refusal => {
  const pointer = no.details?.pointer;
  return typeof pointer === 'string' ? { ...no, details: { ...no.details, pointer: `/data${pointer}` } } : no;
};
