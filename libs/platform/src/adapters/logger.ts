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

/** Redis repeats what an unknown command was called with, a JSON reader the text it stumbled over. */
const REPEATED = /, with args beginning with: [^\n]*|, (?:\.\.\.)?"[^]*?"(?:\.\.\.)? is not valid JSON/gu;

/** PLT-19: an error carries what it failed on (a Redis command its arguments); a log says only what went wrong, and where. */
const told = (error: Error): Fields => {
  const { type, message, stack, code } = stdSerializers.err(error);
  const said = (text: string): string => text.replaceAll(REPEATED, '');
  return {
    ...{ type, message: said(message), stack: said(stack) },
    ...(typeof code === 'string' ? { code } : {}),
  };
};

const safe = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? told(value) : value]),
  );

const over = (lines: Logger): Log => ({
  debug: (event: string, fields: Fields = {}) => lines.debug(fields, event),
  info: (event: string, fields: Fields = {}) => lines.info(fields, event),
  warn: (event: string, fields: Fields = {}) => lines.warn(fields, event),
  error: (event: string, fields: Fields = {}) => lines.error(fields, event),
  with: (fields: Fields) => over(lines.child(safe(fields))),
});

export const createLog = ({ level, name, destination }: LogOptions): Log => {
  const options = {
    level,
    base: name === undefined ? {} : { process: name },
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }), log: safe },
  };
  return over(destination === undefined ? pino(options) : pino(options, destination));
};
