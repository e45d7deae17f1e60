/** The port of the log of a process: one line is one event name with fields. */
export type Fields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  /** Put the cause under `error`; it is written with its stack. */
  error(event: string, fields?: Fields): void;
  /** The same log with these fields on every line. */
  with(fields: Fields): Log;
}
