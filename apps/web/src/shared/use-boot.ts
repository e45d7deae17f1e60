/** Finds out how to sign in, and as whom; starts the client. */
import { HubClient } from '@triptych/client';
import type { Surface } from '@triptych/protocol';
import { useEffect, useState } from 'react';
import { hubApi, type HubApi } from './hub-api.js';
import { PERSONAS, type Persona } from './personas.js';
import { tokenSource, type HubConfig } from './token-source.js';

export type Boot =
  | { readonly state: 'opening' }
  | { readonly state: 'failed' }
  | { readonly state: 'no-sign-in' }
  | {
      readonly state: 'open';
      readonly client: HubClient;
      readonly api: HubApi;
      readonly persona: Persona;
      readonly authMode: HubConfig['authMode'];
    };

const storedAs = (surface: Surface): string => `triptych.persona.${surface}`;

const chosenPersona = (surface: Surface): Persona => {
  const sub = window.sessionStorage.getItem(storedAs(surface));
  return PERSONAS[surface].find((persona) => persona.sub === sub) ?? PERSONAS[surface][0];
};

/** Another person sees another world: begin anew, without the place of the former one. */
export const becomePersona = (surface: Surface, sub: string): void => {
  window.sessionStorage.setItem(storedAs(surface), sub);
  const lang = new URLSearchParams(window.location.search).get('lang');
  window.location.assign(
    lang === null ? window.location.pathname : `${window.location.pathname}?lang=${lang}`,
  );
};

const readConfig = async (): Promise<HubConfig> => {
  const response = await fetch('/v1/config');
  if (!response.ok) throw new Error(`No configuration: ${response.status}`);
  return (await response.json()) as HubConfig;
};

const open = (surface: Surface, config: HubConfig): Boot => {
  const persona = chosenPersona(surface);
  const getToken = tokenSource(config, persona);
  if (getToken === undefined) return { state: 'no-sign-in' };
  const client = new HubClient({ url: window.location.origin, surface, getToken });
  return { state: 'open', client, api: hubApi(getToken), persona, authMode: config.authMode };
};

export const useBoot = (surface: Surface): { boot: Boot; again: () => void } => {
  const [boot, setBoot] = useState<Boot>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let stop = (): void => undefined;
    let wanted = true;
    stop = () => {
      wanted = false;
    };
    readConfig().then(
      (config) => {
        if (!wanted) return;
        const opened = open(surface, config);
        if (opened.state === 'open') stop = startClient(opened.client);
        setBoot(opened);
      },
      () => {
        if (wanted) setBoot({ state: 'failed' });
      },
    );
    return () => stop();
  }, [surface, attempt]);
  return {
    boot,
    again: () => {
      setBoot({ state: 'opening' });
      setAttempt((tried) => tried + 1);
    },
  };
};

const startClient = (client: HubClient): (() => void) => {
  client.start();
  return () => client.stop();
};
