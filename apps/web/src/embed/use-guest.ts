/** A client of the hub for whoever is signed in at the page around; another person gets another client. */
import { HubClient, SignedOut } from '@triptych/client';
import { useEffect, useState } from 'react';
import { hubApi, type HubApi } from '../shared/hub-api.js';
import { cached, type GetToken } from '../shared/token-source.js';
import type { GetToken as HostsToken } from './chat-props.js';
import { claimsOf } from './token-claims.js';

export interface Guest {
  readonly client: HubClient;
  readonly api: HubApi;
  /** Known with the first token. */
  readonly subject: string | undefined;
  /** Somebody else was here before, and may have left a conversation open. */
  readonly follows: boolean;
}

/** The page's own source, asked only when it must be; `isMe` judges whose each token is. */
const sourceFrom = (getToken: HostsToken, isMe: (subject: string) => boolean): GetToken =>
  cached(async (fresh) => {
    const token = await getToken({ fresh });
    if (!token) throw new SignedOut();
    const { subject, expiresAt } = claimsOf(token);
    if (!isMe(subject)) throw new Error('Another person is signed in.');
    return { token, expiresAt };
  });

export const useGuest = (hub: string, getToken: HostsToken | undefined): Guest | undefined => {
  const [guest, setGuest] = useState<Guest | undefined>(undefined);
  const [person, setPerson] = useState(0);
  useEffect(() => {
    if (getToken === undefined) return undefined;
    let known: string | undefined;
    const source = sourceFrom(getToken, (subject) => {
      if (known === undefined) setGuest((old) => old && { ...old, subject });
      else if (known !== subject) setPerson((count) => count + 1);
      known ??= subject;
      return known === subject;
    });
    const client = new HubClient({ url: hub, surface: 'customer', getToken: source });
    setGuest({
      client,
      api: hubApi(source, hub.replace(/^ws/u, 'http').replace(/\/$/u, '')),
      subject: known,
      follows: person > 0,
    });
    client.start();
    return () => client.stop();
  }, [hub, getToken, person]);
  return guest;
};
