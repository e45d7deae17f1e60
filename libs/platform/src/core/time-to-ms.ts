/** Turns the reply of Redis TIME into Unix milliseconds. */
export const timeToMs = ([seconds, micros]: readonly (string | number)[]): number =>
  Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
