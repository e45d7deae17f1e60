/** Finds the batch that a resume speaks of: clients repeat old answers, and agents name their questions alike. */
import { ok, refuse, type ResumeEntry, type Result } from '@triptych/protocol';
import { runIdOf, type Batch } from './batch.js';

export interface ResumeSaid {
  /** Of one thread, newest first. */
  readonly batches: readonly Batch[];
  readonly entries: readonly ResumeEntry[];
  /** The run's name, should the input complete its batch. */
  readonly runId?: string;
}

const isNamed = ({ tasks }: Batch, entries: readonly ResumeEntry[]): boolean =>
  entries.some((entry) => tasks.some(({ interruptId }) => interruptId === entry.interruptId));

/** APR-32: the name of a run that was begun by one batch's answers never stands for answers to another. */
export const batchMeant = ({ batches, entries, runId }: ResumeSaid): Result<Batch | undefined> => {
  const answers = entries.filter(({ status }) => status !== 'cancelled');
  const begun = runId === undefined ? undefined : batches.find(({ status }) => runIdOf(status) === runId);
  if (begun) return answers.length === 0 || isNamed(begun, answers) ? ok(begun) : refuse('RUN_ID_CONFLICT');
  const [current] = batches;
  if (!current || isNamed(current, entries)) return ok(current);
  const old = batches.find((batch) => batch.status.state !== 'open' && isNamed(batch, answers));
  return ok(old ?? current);
};
