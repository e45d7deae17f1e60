/** Names the way from a run down to each of its subagents. */
import type { ModelSubagent } from '@triptych/protocol';

/** Deeper nesting is cut: a path is for people to read. */
const MAX_DEPTH = 16;

type Started = {
  readonly subagentRunId: string;
  readonly name: string;
  readonly parentSubagentRunId?: string;
};

/** subagentRunId → names from the outermost down to it. */
export const subagentPathsOf = (
  subagents: readonly ModelSubagent[],
): ReadonlyMap<string, readonly string[]> => {
  const paths = new Map<string, readonly string[]>();
  // A parent always begins before its children.
  for (const { started } of subagents) {
    const { subagentRunId, name, parentSubagentRunId } = started as unknown as Started;
    const above = parentSubagentRunId === undefined ? [] : (paths.get(parentSubagentRunId) ?? []);
    paths.set(subagentRunId, [...above, name].slice(0, MAX_DEPTH));
  }
  return paths;
};
