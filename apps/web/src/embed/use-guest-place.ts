/** Which conversation is open: the page may say, the person may choose, and this device remembers. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Place } from '../customer/place.js';
import { readStored, writeStored } from '../shared/stored.js';
import type { ChatProps } from './chat-props.js';

const storedAt = (key: string): string | undefined => {
  const kept = readStored(key);
  return typeof kept === 'string' ? kept : undefined;
};

type Said = Pick<ChatProps, 'agent' | 'threadId' | 'onThread'>;

export const useGuestPlace = (keptAs: string, { agent, threadId, onThread }: Said): Place => {
  const key = `triptych.place.${keptAs}.${agent ?? ''}`;
  const [current, setCurrent] = useState(() =>
    threadId === undefined ? storedAt(key) : (threadId ?? undefined),
  );
  useEffect(() => {
    if (threadId !== undefined) setCurrent(threadId ?? undefined);
  }, [threadId]);
  useEffect(() => {
    writeStored(key, current);
    onThread?.(current);
  }, [key, current, onThread]);
  const open = useCallback((next: string | undefined) => setCurrent(next), []);
  return useMemo(() => ({ current, open, agentId: agent }), [current, open, agent]);
};
