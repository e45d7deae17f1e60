/** `<TriptychChat>`: the chat for pages made with React. */
import { useEffect, useMemo, useRef, type CSSProperties, type ReactElement } from 'react';
import type { ChatProps } from './chat-props.js';
import { mountChat, type MountedChat } from './mount-chat.js';

export type { ChatConnection, ChatStatus, GetToken } from './chat-props.js';

export interface TriptychChatProps extends ChatProps {
  /** Tells several chats on one page apart: each keeps a place of its own. */
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
  /** Else that of the page. */
  readonly theme?: 'light' | 'dark' | undefined;
}

/** Functions are new at every render of the page, which must not end a connection. */
const useSteady = (props: ChatProps): ChatProps => {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const steady = useMemo<ChatProps>(
    () => ({
      hub: '',
      getToken: async (need) => latest.current.getToken?.(need),
      onThread: (threadId) => latest.current.onThread?.(threadId),
      onConnection: (connection) => latest.current.onConnection?.(connection),
      onStatus: (status) => latest.current.onStatus?.(status),
    }),
    [],
  );
  const { hub, agent, threadId, language } = props;
  const getToken = props.getToken && steady.getToken;
  return { ...steady, hub, agent, threadId, language, getToken };
};

export const TriptychChat = (props: TriptychChatProps): ReactElement => {
  const { id, className, style, theme } = props;
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedChat>(undefined);
  const steady = useSteady(props);
  useEffect(() => {
    if (host.current === null) return undefined;
    const chat = mountChat(host.current, steady);
    mounted.current = chat;
    return () => {
      mounted.current = undefined;
      // React may be drawing the page around: a root within is not ended under its hands.
      queueMicrotask(() => chat.end());
    };
  }, []);
  useEffect(() => mounted.current?.update(steady));
  return <div ref={host} id={id} className={className} style={style} data-theme={theme} />;
};
