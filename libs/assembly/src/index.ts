/** Introduces the capabilities to one another, the same way in every process. */
export { bootProcess, configPrinter, explainRefusal, type ProcessParts } from './boot.js';
export { queueConnection } from './queue-connection.js';
export { unmetIn } from './unmet.js';
