/** Says a refusal where only AG-UI events are spoken; it is told once and stored nowhere. */
import type { AguiEvent, Refusal } from '@triptych/protocol';

export const refusalEvent = ({ code, message }: Refusal): AguiEvent => ({
  type: 'RUN_ERROR',
  message,
  code: `hub/${code.toLowerCase().replaceAll('_', '-')}`,
});
