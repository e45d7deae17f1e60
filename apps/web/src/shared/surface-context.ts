/** What every component of a surface may reach: the client, the HTTP calls, who we are, the language. */
import type { HubClient } from '@triptych/client';
import type { Surface } from '@triptych/protocol';
import { createContext, useContext } from 'react';
import type { Formats } from './formats.js';
import type { HubApi } from './hub-api.js';
import type { Language } from './texts/catalogue.js';
import type { HubConfig } from './token-source.js';

export interface SurfaceTools {
  readonly client: HubClient;
  readonly api: HubApi;
  readonly surface: Surface;
  /** In development the chosen persona; else the session's subject is the truth. */
  readonly me: { readonly sub: string; readonly name: string };
  readonly authMode: HubConfig['authMode'];
  /** Whose drafts these are, as they are kept on this device. */
  readonly keptAs: string;
  /** Begins anew after the connection was closed for good: signed in again, or mended. */
  readonly again: () => void;
  readonly language: Language;
  readonly formats: Formats;
}

export const SurfaceContext = createContext<SurfaceTools | undefined>(undefined);

export const useSurface = (): SurfaceTools => {
  const tools = useContext(SurfaceContext);
  if (tools === undefined) throw new Error('Rendered outside a surface.');
  return tools;
};
