/** Says to which addresses the bot's token may be sent: an activity names where it wants its answers. */

/** Microsoft's own; anybody may rent another name under `trafficmanager.net`. */
const MICROSOFT = /^(?:smba\.trafficmanager\.net|(?:[a-z0-9-]+\.)*botframework\.com)$/u;

/** `configured` are hosts beside Microsoft's, of other clouds, or whole origins, of tests. */
export const isServiceUrl = (text: string, configured: readonly string[]): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname, port, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (configured.some((one) => one === origin || `https://${one}` === origin)) return true;
  return protocol === 'https:' && port === '' && MICROSOFT.test(hostname);
};

/** The address of one call, below what the service gave as its own. */
export const callUrl = (serviceUrl: string, ...path: readonly string[]): string => {
  const base = serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`;
  return new URL(`v3/conversations${path.map((part) => `/${encodeURIComponent(part)}`).join('')}`, base).href;
};
