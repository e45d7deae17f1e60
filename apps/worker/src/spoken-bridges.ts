/** The bridges that this deployment has, each where its settings are there; a further one is a line more. */
import type { Bridge, BridgeKind, BridgesFile, ChatValues } from '@triptych/bridges';
import type { Log, Settings } from '@triptych/platform';

export interface BridgeParts {
  readonly settings: Settings;
  readonly file: BridgesFile;
  readonly values: ChatValues;
  readonly log: Log;
}

/** undefined: it is not set up. */
type Opens = (parts: BridgeParts) => Bridge | undefined;

const ALL: readonly Opens[] = [];

export const spokenBridges = (parts: BridgeParts): ReadonlyMap<BridgeKind, Bridge> =>
  new Map(ALL.flatMap((open) => open(parts) ?? []).map((bridge) => [bridge.kind, bridge]));
