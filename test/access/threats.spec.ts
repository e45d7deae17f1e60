/** Tries on the running product what others tried on theirs: each threat and each case from the field by its number. */
import { AccessStage, STAGE_MS } from './stage.js';
import { bulk } from './threats/bulk.js';
import { clocks } from './threats/clocks.js';
import { forgery } from './threats/forgery.js';
import { identity } from './threats/identity.js';
import { others } from './threats/others.js';
import { proposals } from './threats/proposals.js';
import { views } from './threats/views.js';

let stage: AccessStage;
beforeAll(async () => {
  stage = await AccessStage.start();
}, STAGE_MS);
afterAll(async () => {
  await stage?.stop();
}, STAGE_MS);

const onStage = (): AccessStage => stage;
forgery(onStage);
identity(onStage);
others(onStage);
proposals(onStage);
views(onStage);
clocks(onStage);
bulk(onStage);
