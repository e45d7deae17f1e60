/** Runs the suite of the log against a real Redis and the embedded one. */
import { LOG_STORES } from '../test/log-stores.js';
import { eventLogContract } from './contract.js';

for (const [name, start] of LOG_STORES) eventLogContract(name, start);
