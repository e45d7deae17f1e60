/** What is worth an operator's look, though it stops nothing. */

export interface Finding {
  readonly kind:
    | 'warning'
    | 'missing-position'
    | 'late-position'
    | 'reveal'
    | 'gate-bypass'
    | 'asked-afterwards'
    | 'input-dropped'
    | 'forged-history'
    | 'forged-result'
    | 'side-door'
    | 'forged-resume';
  readonly rule?: string;
  readonly message: string;
  readonly runId?: string;
  /** Whose doing it was. */
  readonly by?: string;
  /** Of what was revealed; the message is the reason. */
  readonly pointer?: string;
  /** Of a client's input: pointers and ids, never what was written there. */
  readonly where?: readonly string[];
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

/** Of findings that are more than there is room for, the last says so. */
export const withinRoom = (found: readonly Finding[], room: number, more: Finding): readonly Finding[] => {
  if (room <= 0) return [];
  return found.length < room ? found : [...found.slice(0, room - 1), more];
};

/** Equal warnings of one write are one finding; of a run's last one all that follow are part. */
export const warningsFound = (warnings: readonly string[], { runId, kept }: Warned): readonly Finding[] => {
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
  return withinRoom(found, MAX_A_RUN - kept, { kind: 'warning', message: MORE, runId });
};
