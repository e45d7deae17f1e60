/** Says to the operator what became of the order of a thread's positions. */
import type { Finding } from './findings.js';
import type { Gap } from './push-positions.js';

const ofRun = (runId: string): Pick<Finding, 'runId'> => (runId === '' ? {} : { runId });

export const missingFound = ([from, to]: Gap, windowMs: number, runId: string): Finding => {
  const count = to - from + 1;
  const message =
    count === 1
      ? `Position ${from} did not come within ${windowMs} ms; what follows it went on.`
      : `Positions ${from} to ${to} did not come within ${windowMs} ms; what follows them went on.`;
  return { kind: 'missing-position', message, ...ofRun(runId), ...(count > 1 ? { count } : {}) };
};

export const lateFound = (position: number, rule: string | undefined, runId: string): Finding => {
  const fate = rule === undefined ? 'it was still legal and is stored' : 'it is kept as refused';
  const message = `Position ${position} came after it was given up; ${fate}.`;
  return { kind: 'late-position', ...(rule === undefined ? {} : { rule }), message, ...ofRun(runId) };
};
