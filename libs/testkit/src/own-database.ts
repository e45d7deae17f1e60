/** A database of Redis for one process of the test runner, whose suites run one after another: none flushes what another needs. */

/** Redis has sixteen; whoever names none is in the first. */
const DATABASES = 15;

export const ownDatabase = (): number => 1 + ((Number(process.env['JEST_WORKER_ID'] ?? 1) - 1) % DATABASES);
