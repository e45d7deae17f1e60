/** Reads a policy file, and says what is wrong with a bad one by line and column. */
import { readFile } from 'node:fs/promises';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';
import { compilePolicy } from '../core/compile-policy.js';
import type { Policy } from '../core/policy.js';

/** One thing wrong with the file; lines and columns count from 1. */
export interface FileProblem {
  readonly line: number;
  readonly column: number;
  /** Dotted keys from the root; empty for the file itself. */
  readonly path: string;
  readonly message: string;
}

export type PolicyFileReading =
  | { readonly ok: true; readonly value: Policy }
  | {
      readonly ok: false;
      /** One line a problem: `file:line:column path message`. */
      readonly why: string;
      readonly problems: readonly FileProblem[];
    };

type Path = readonly (string | number)[];

const pairAt = (node: unknown, key: string | number) =>
  isMap(node)
    ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key))
    : undefined;

const childOf = (node: unknown, key: string | number): unknown =>
  isSeq(node) ? node.items[Number(key)] : pairAt(node, key);

const offsetOf = (node: unknown): number | undefined => {
  const there = isPair(node) ? node.key : node;
  return isNode(there) ? there.range?.[0] : undefined;
};

/** The offset of the deepest part of the path that the file has: a missing key is found at its parent. */
const offsetAt = (root: Node | null, path: Path): number => {
  let [node, offset]: [unknown, number] = [root, offsetOf(root) ?? 0];
  for (const key of path) {
    const next = childOf(isPair(node) ? node.value : node, key);
    if (next === undefined) break;
    [node, offset] = [next, offsetOf(next) ?? offset];
  }
  return offset;
};

const failed = (fileName: string, problems: readonly FileProblem[]): PolicyFileReading => ({
  ok: false,
  problems,
  why: problems
    .map(({ line, column, path, message }) =>
      [`${fileName}:${line}:${column}`, ...(path === '' ? [] : [path]), message].join(' '),
    )
    .join('\n'),
});

const syntaxProblems = (document: Document.Parsed, lines: LineCounter): FileProblem[] =>
  document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { line, column: col, path: '', message: error.message.split('\n')[0] ?? error.code };
  });

export const parsePolicyText = (text: string, fileName: string): PolicyFileReading => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) return failed(fileName, syntaxProblems(document, lines));
  const compiled = compilePolicy(document.toJS());
  if (compiled.ok) return compiled;
  return failed(
    fileName,
    compiled.problems.map(({ path, message }) => {
      const { line, col } = lines.linePos(offsetAt(document.contents, path));
      return { line, column: col, path: path.join('.'), message };
    }),
  );
};

const isSystemError = (failure: unknown): failure is NodeJS.ErrnoException =>
  typeof failure === 'object' && failure !== null && 'code' in failure && 'syscall' in failure;

/** A file that is away is as bad as one that is wrong: the caller keeps the policy it has. */
export const readPolicy = async (file: string): Promise<PolicyFileReading> => {
  try {
    return parsePolicyText(await readFile(file, 'utf8'), file);
  } catch (failure) {
    if (!isSystemError(failure)) throw failure;
    return failed(file, [{ line: 1, column: 1, path: '', message: `cannot be read (${failure.code})` }]);
  }
};
