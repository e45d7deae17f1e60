/** Writes the log as JSON lines, one event name with its fields a line. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Fields, Log, LogLevel } from '../core/log.js';

export interface LogOptions {
  readonly level: LogLevel;
  /** Which process speaks: `hub`, `worker`. */
  readonly name?: string;
  /** Where lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

const over = (lines: Logger): Log => ({
  debug: (event: string, fields?: Fields) => lines.debug(fields ?? {}, event),
  info: (event: string, fields?: Fields) => lines.info(fields ?? {}, event),
  warn: (event: string, fields?: Fields) => lines.warn(fields ?? {}, event),
  error: (event: string, fields?: Fields) => lines.error(fields ?? {}, event),
  with: (fields: Fields) => over(lines.child(fields)),
});

export const createLog = ({ level, name, destination }: LogOptions): Log => {
  const options = {
    level,
    base: name === undefined ? {} : { process: name },
    messageKey: 'event',
    errorKey: 'error',
    serializers: { error: stdSerializers.err },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return over(destination === undefined ? pino(options) : pino(options, destination));
};
