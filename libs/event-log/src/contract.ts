/** What every store of the log must do: a suite to be run against each of them. */
import { losses } from '../test/contract/losses.js';
import { reading } from '../test/contract/reading.js';
import { onStage } from '../test/contract/stage.js';
import type { LogStore } from '../test/contract/stage.js';
import { storing } from '../test/contract/storing.js';

export type { LogStore } from '../test/contract/stage.js';

export const eventLogContract = (name: string, start: () => Promise<LogStore>): void => {
  describe(`event log on ${name}`, () => {
    const stage = onStage(start);
    storing(stage);
    reading(stage);
    losses(stage);
  });
};
