/** What of the bridges every process knows: the file that names them, and the seal of their buttons. */
import { existsSync } from 'node:fs';
import type { FactoryProvider } from '@nestjs/common';
import { chatValues, People, readBridges, type BridgesFile } from '@triptych/bridges';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import { BAD_SETTINGS, BootRefused } from './boot.js';

/** What `bridges.yaml` says; empty where there is none. */
export const BRIDGES = Symbol('BRIDGES');
/** Seals the values of buttons in chats. */
export const CHAT_VALUES = Symbol('CHAT_VALUES');

const NO_BRIDGES: BridgesFile = {
  bridges: {
    teams: { serviceHosts: [] },
    webhooks: { privateHosts: [] },
    destinations: new Map(),
    routes: [],
    people: [],
    keys: [],
  },
  people: new People([]),
};

/** A file that is not there is none; what it says must be right. */
const bridgesFrom = async ({ bridges: { bridgesFile: file } }: Settings): Promise<BridgesFile> => {
  if (!existsSync(file)) return NO_BRIDGES;
  const read = await readBridges(file, process.env);
  if (!read.ok) throw new BootRefused(read.why, BAD_SETTINGS);
  return read.value;
};

export const bridgeParts = (hubSecret: symbol): (FactoryProvider & { readonly provide: symbol })[] => [
  { provide: BRIDGES, inject: [SETTINGS], useFactory: bridgesFrom },
  { provide: CHAT_VALUES, inject: [hubSecret], useFactory: chatValues },
];
