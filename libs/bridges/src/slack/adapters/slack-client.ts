/** The vendor's client with its own retries off: what went wrong is told to whoever knows what it was for. */
import { LogLevel, WebClient, type Logger } from '@slack/web-api';

export interface SlackTerms {
  readonly token: string;
  /** Of another place than Slack's own. */
  readonly apiUrl?: string | undefined;
}

/** Whoever waits longer for Slack will not hear from it. */
export const CALL_MS = 5_000;

const nothing = (): void => undefined;
/** What it would say it also throws; its own log would hold what was sent. */
const SILENT: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

/**
 * One for a process. The vendor's retries would post a card twice whose answer was lost, and a channel that is limited
 * would hold up all the others.
 */
export const slackClient = ({ token, apiUrl }: SlackTerms, timeoutMs = CALL_MS): WebClient =>
  new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: withSlash(apiUrl) }),
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
    logger: SILENT,
  });
