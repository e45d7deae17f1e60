/** Reads the text of `agents.yaml`: every agent, or every problem with its line and column. */
import { LineCounter, isNode, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import type { z } from 'zod';
import { agentsFileSchema } from './agent-spec.js';
import type { AgentSpec, DescribedAgent } from './agent-spec.js';

export interface AgentsProblem {
  readonly message: string;
  /** Where it is in the document, such as `agents[0].connect.url`. */
  readonly path?: string;
  /** Both from 1; absent when the file itself cannot be read. */
  readonly line?: number;
  readonly column?: number;
}

export type AgentsRead =
  | { readonly ok: true; readonly agents: readonly AgentSpec[] }
  | { readonly ok: false; readonly problems: readonly AgentsProblem[] };

export type Environment = Readonly<Record<string, string | undefined>>;

interface Source {
  readonly document: Document;
  readonly lines: LineCounter;
}
type Path = readonly PropertyKey[];

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export const parseAgents = (text: string, env: Environment): AgentsRead => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: Source = { document, lines };
  const malformed = document.errors.map((error) => problemAt(source, error.pos[0], error.message));
  if (malformed.length > 0) return { ok: false, problems: malformed };
  const unusable = [...danglingAliases(source), ...substitute(source, env)];
  return unusable.length > 0 ? { ok: false, problems: unusable } : judge(source);
};

const judge = (source: Source): AgentsRead => {
  const parsed = agentsFileSchema.safeParse(source.document.toJS());
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.flatMap((issue) => problemsOfIssue(source, issue)) };
  const { agents } = parsed.data;
  const problems = [...unsupported(source, agents), ...repeatedIds(source, agents)];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, agents: agents.flatMap(speakable) };
};

const isSpoken = (connect: DescribedAgent['connect']): connect is AgentSpec['connect'] =>
  connect.type === 'http' || connect.type === 'push';

const speakable = ({ connect, ...agent }: DescribedAgent): AgentSpec[] =>
  isSpoken(connect) ? [{ ...agent, name: agent.name ?? agent.id, connect }] : [];

/** AGT-4: what the file may say but this version cannot do stops the start; it never becomes something else. */
const unsupported = (source: Source, agents: readonly DescribedAgent[]): AgentsProblem[] =>
  agents.flatMap(({ connect, resume }, at) => {
    const refuse = (path: Path, value: string): AgentsProblem =>
      problemOf(
        source,
        ['agents', at, ...path],
        `${path.join('.')} ${value} is not supported by this version`,
      );
    return [
      ...(isSpoken(connect) ? [] : [refuse(['connect', 'type'], connect.type)]),
      ...(resume.dialect === 'standard' ? [] : [refuse(['resume', 'dialect'], resume.dialect)]),
    ];
  });

const repeatedIds = (source: Source, agents: readonly DescribedAgent[]): AgentsProblem[] =>
  agents.flatMap(({ id }, at) =>
    agents.findIndex((other) => other.id === id) === at
      ? []
      : [problemOf(source, ['agents', at, 'id'], `the id ${id} is used twice`)],
  );

const danglingAliases = (source: Source): AgentsProblem[] => {
  const problems: AgentsProblem[] = [];
  visit(source.document, {
    Alias: (_key, node) => {
      if (!node.resolve(source.document))
        problems.push(problemAt(source, node.range?.[0] ?? 0, `the alias ${node.source} names nothing`));
    },
  });
  return problems;
};

/** AGT-2: values go into parsed scalars, so that no value of a variable can add structure to the file. */
const substitute = (source: Source, env: Environment): AgentsProblem[] => {
  const problems: AgentsProblem[] = [];
  visit(source.document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string' || key === 'key') return;
      node.value = node.value.replace(VARIABLE, (whole, variable: string) => {
        const value = env[variable];
        if (value === undefined)
          problems.push(problemAt(source, node.range?.[0] ?? 0, `the variable ${variable} is not set`));
        return value ?? whole;
      });
    },
  });
  return problems;
};

const problemsOfIssue = (source: Source, issue: z.core.$ZodIssue): AgentsProblem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => problemOf(source, [...issue.path, key], 'is not a setting'))
    : [problemOf(source, issue.path, issue.message)];

const problemOf = (source: Source, path: Path, message: string): AgentsProblem => ({
  ...problemAt(source, offsetOf(source.document, path), message),
  path: path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`))
    .join(''),
});

const problemAt = ({ lines }: Source, offset: number, message: string): AgentsProblem => {
  const { line, col } = lines.linePos(offset);
  return { message, line, column: col };
};

/** A missing value has no place of its own: its nearest parent shows where it belongs. */
const offsetOf = (document: Document, path: Path): number => {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
};
