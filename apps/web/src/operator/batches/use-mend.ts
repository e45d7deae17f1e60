/** Does with one batch what its operator decided, once. */
import type { BatchView, Refusal } from '@triptych/protocol';
import { useState } from 'react';
import { useAnnounce } from '../../shared/announcer.js';
import { useSurface } from '../../shared/surface-context.js';
import type { BatchAct } from '../core/batch-acts.js';
import { useBatchText } from './texts.js';

export type Mending =
  | { readonly state: 'idle' }
  | { readonly state: 'asking'; readonly act: BatchAct }
  | { readonly state: 'sending'; readonly act: BatchAct }
  | { readonly state: 'done'; readonly act: BatchAct }
  | { readonly state: 'refused'; readonly act: BatchAct; readonly refusal: Refusal };

export interface Mend {
  readonly mending: Mending;
  /** Nothing is sent by this. */
  readonly ask: (act: BatchAct | undefined) => void;
  readonly send: (reason: string) => void;
}

export const useMend = ({ batchId, attempts }: BatchView, onDone: () => void): Mend => {
  const t = useBatchText();
  const { api } = useSurface();
  const announce = useAnnounce();
  const [mending, setMending] = useState<Mending>({ state: 'idle' });
  const send = (reason: string) => {
    if (mending.state !== 'asking') return;
    const { act } = mending;
    setMending({ state: 'sending', act });
    const body = {
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(act === 'retry' && attempts !== undefined ? { attempt: attempts } : {}),
    };
    void api.post<BatchView>(`/v1/batches/${encodeURIComponent(batchId)}/${act}`, body).then((answer) => {
      setMending(answer.ok ? { state: 'done', act } : { state: 'refused', act, refusal: answer.refusal });
      if (answer.ok) announce(t(`b.did.${act}`));
      onDone();
    });
  };
  return {
    mending,
    ask: (act) => setMending(act === undefined ? { state: 'idle' } : { state: 'asking', act }),
    send,
  };
};
