/** Makes truth cheap to test. */
export { LastingScreen } from './lasting-screen.js';
export { ownDatabase } from './own-database.js';
export { freePort, isAlive, until } from './processes.js';
export { AMELIA, BEN, JAN, MO, Product, TOVE, type Person, type ServiceName } from './product.js';
export { RefusedAnswer, Screen, type Frame } from './screen.js';
export { ThreadBook } from './thread-book.js';
