/** What is worth an operator's look, though it stops nothing. */

export interface Finding {
  readonly kind:
    'warning' | 'missing-position' | 'late-position' | 'reveal' | 'gate-bypass' | 'asked-afterwards';
  readonly rule?: string;
  readonly message: string;
  readonly runId?: string;
  /** Who was shown what is redacted, and where it is; the message is their reason. */
  readonly by?: string;
  readonly pointer?: string;
  /** How often, if more than once. */
  readonly count?: number;
}

/** Findings of one run; an agent that has more to be warned of repeats itself. */
export const MAX_A_RUN = 50;
/** Characters of a message, which may hold what an agent wrote. */
const MAX_MESSAGE = 500;

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;

const MORE = 'There is more to warn of in this run; it is not kept.';

export interface Warned {
  readonly runId: string;
  /** Findings that the run has already. */
  readonly kept: number;
}

/** Equal warnings of one write are one finding; of a run's last one all that follow are part. */
export const warningsFound = (warnings: readonly string[], { runId, kept }: Warned): readonly Finding[] => {
  if (kept >= MAX_A_RUN) return [];
  const counts = new Map<string, number>();
  for (const warning of warnings) {
    const message = shortened(warning);
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  const found = [...counts].map(([message, count]): Finding => ({
    kind: 'warning',
    message,
    runId,
    ...(count > 1 ? { count } : {}),
  }));
  const room = MAX_A_RUN - kept;
  if (found.length < room) return found;
  return [...found.slice(0, room - 1), { kind: 'warning', message: MORE, runId }];
};
