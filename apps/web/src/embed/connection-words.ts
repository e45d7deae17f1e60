/** How a connection is told to the page around: what it may act on, without our details. */
import type { ConnectionState } from '@triptych/client';
import type { ChatConnection } from './chat-props.js';

export const connectionOf = (state: ConnectionState): ChatConnection => {
  switch (state.state) {
    case 'connecting':
    case 'ready':
      return state.state;
    case 'waiting':
      return state.cause === 'origin' ? 'not-allowed' : 'away';
    case 'closed':
      return state.reason === 'signed-out' || state.reason === 'forbidden' ? state.reason : 'closed';
  }
};
