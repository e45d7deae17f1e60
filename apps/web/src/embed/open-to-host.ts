/** Opens our roles to the page around: each takes the page's `--triptych-` variable of the same name, where there is one. */

/** These follow the page's accent by themselves; the values are in embed.css, and are none where the page names no accent. */
const FOLLOW_ACCENT: ReadonlySet<string> = new Set([
  'accent-hover',
  'accent-text',
  'accent-tint',
  'accent-line',
  'selected',
  'focus',
]);

export const openToHost = (tokens: string): string =>
  tokens
    .replaceAll(':root', '.chat')
    .replaceAll(/--([a-z0-9-]+):\s*([^;}]+)/gu, (_, name: string, value: string) => {
      const ours = FOLLOW_ACCENT.has(name) ? `var(--of-${name},${value.trim()})` : value.trim();
      return `--${name}:var(--triptych-${name},${ours})`;
    });
