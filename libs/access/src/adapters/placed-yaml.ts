/** Reads a YAML file, and says what is wrong with a bad one by line and column. */
import { readFile } from 'node:fs/promises';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Node } from 'yaml';

/** One thing wrong with the file; lines and columns count from 1. */
export interface FileProblem {
  readonly line: number;
  readonly column: number;
  /** Dotted keys from the root; empty for the file itself. */
  readonly path: string;
  readonly message: string;
}

export type FileReading<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** One line a problem: `file:line:column path message`. */
      readonly why: string;
      readonly problems: readonly FileProblem[];
    };

/** What is wrong with the content; the path holds keys and indexes from the root. */
export interface PlacedProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Turns the file's content into what is meant by it. */
export type Compile<T> = (
  content: unknown,
) =>
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly PlacedProblem[] };

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
const offsetAt = (root: Node | null, path: PlacedProblem['path']): number => {
  let [node, offset]: [unknown, number] = [root, offsetOf(root) ?? 0];
  for (const key of path) {
    const next = childOf(isPair(node) ? node.value : node, key);
    if (next === undefined) break;
    [node, offset] = [next, offsetOf(next) ?? offset];
  }
  return offset;
};

const failed = (fileName: string, problems: readonly FileProblem[]): FileReading<never> => ({
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

/** Reading the content would throw at them. */
const danglingAliases = (document: Document.Parsed, lines: LineCounter): FileProblem[] => {
  const problems: FileProblem[] = [];
  visit(document, {
    Alias: (_key, node) => {
      if (node.resolve(document)) return;
      const { line, col } = lines.linePos(node.range?.[0] ?? 0);
      problems.push({ line, column: col, path: '', message: `The alias ${node.source} names nothing` });
    },
  });
  return problems;
};

export const parsePlaced = <T>(text: string, fileName: string, compile: Compile<T>): FileReading<T> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const malformed = [...syntaxProblems(document, lines), ...danglingAliases(document, lines)];
  if (malformed.length > 0) return failed(fileName, malformed);
  const compiled = compile(document.toJS());
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

/** A file that is away is as bad as one that is wrong. */
export const readPlaced = async <T>(file: string, compile: Compile<T>): Promise<FileReading<T>> => {
  try {
    return parsePlaced(await readFile(file, 'utf8'), file, compile);
  } catch (failure) {
    if (!isSystemError(failure)) throw failure;
    return failed(file, [{ line: 1, column: 1, path: '', message: `cannot be read (${failure.code})` }]);
  }
};
