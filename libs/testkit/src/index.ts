/** Makes truth cheap to test. */
export {
  AMELIA,
  BEN,
  freePort,
  JAN,
  MO,
  Product,
  TOVE,
  until,
  type Person,
  type ServiceName,
} from './product.js';
export { RefusedAnswer, Screen, type Frame } from './screen.js';
