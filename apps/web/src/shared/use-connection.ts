/** Follows the state of the connection. */
import type { ConnectionState, HubClient } from '@triptych/client';
import { useCallback, useSyncExternalStore } from 'react';

export const useConnection = (client: HubClient): ConnectionState => {
  const subscribe = useCallback((changed: () => void) => client.onState(changed), [client]);
  return useSyncExternalStore(subscribe, () => client.state);
};
