/** The port of time, so that a rule can be tested at any hour. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}
