/** Notifies by a workflow's webhook, which can only be posted to: what is shown there stays, so it is a link and no button. */
import type { Delivery, Notice } from '../../core/bridge.js';
import { isOpen } from '../core/card-words.js';
import { meaningOf, retryAfterIn, type Heard } from '../core/delivery-of.js';
import { workflowMessage } from '../core/messages.js';
import { taskCard } from '../core/task-card.js';
import { isUnsent } from './unsent.js';

const TIMEOUT_MS = 10_000;
/** What was told last: that it is asked, or how it ended. */
type Told = 'asked' | 'over';

const send = async (url: string, message: object): Promise<Heard> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const retryAfterMs = retryAfterIn(response.headers.get('retry-after'));
    return { status: response.status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  } catch (failure) {
    return isUnsent(failure) ? { unsent: true } : {};
  }
};

export const postToWorkflow = async (notice: Notice<'teams'>): Promise<Delivery> => {
  const { task, destination, posted, unsure, link, names } = notice;
  const told: Told = isOpen(task) ? 'asked' : 'over';
  // What may have arrived is not said again: nobody could take it back.
  if (posted === told || posted === 'over' || unsure) return { kind: 'shown', posted: told };
  const card = taskCard(task, { kind: 'reader' }, { link, names, value: '' });
  const meaning = meaningOf(await send(destination.address, workflowMessage(card)), 'post');
  if (meaning.kind === 'done') return { kind: 'shown', posted: told };
  return meaning.kind === 'gone' ? { kind: 'refused', why: 'The workflow is gone.' } : meaning;
};
