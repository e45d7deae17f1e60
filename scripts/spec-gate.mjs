/** Holds rules and proofs together: every numbered rule is proved by some test, every proof names a rule. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesUnder } from './build-server.mjs';

const RULE = /^- \*\*([A-Z]+-\d+)\*\*\s+\S/;
const LOOKS_LIKE_RULE = /^\s*[-*]\s+\*\*[A-Z]+-?\d+/;
const PROOF = /\bverifies\(\s*(['"`])([A-Z]+-\d+)\1/g;
/** Where proofs live: tests, and the contract suites that tests run. */
const PROOF_FILE = /(\.spec\.tsx?|\/contract(\/[^/]+)?\.ts)$/;
/** A rule longer than this is two rules. */
const MAX_RULE_LINES = 2;

const rulesOf = (file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    const id = RULE.exec(line)?.[1];
    if (!id) return LOOKS_LIKE_RULE.test(line) ? [{ file, at: at + 1, malformed: true }] : [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((next) => next.trim() === '' || /^\s*([-*#|]|\d+\.)\s?/.test(next));
    return [{ file, at: at + 1, id, lines: 1 + (end === -1 ? rest.length : end) }];
  });
};

const proofsOf = (file) => [...readFileSync(file, 'utf8').matchAll(PROOF)].map(([, , id]) => ({ file, id }));

const chaptersOf = (root) => {
  const dir = join(root, 'docs/spec');
  return existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(dir, name))
    : [];
};

const complaintsAboutRules = (rules, proved) => {
  const seen = new Map();
  return rules.flatMap(({ file, at, id, lines, malformed }) => {
    const where = `${basename(file)}:${at}`;
    if (malformed) return [`${where} looks like a rule but is not written "- **ABC-1** sentence."`];
    const twice = seen.get(id);
    seen.set(id, where);
    return [
      twice && `${where} ${id} is already a rule at ${twice}`,
      lines > MAX_RULE_LINES && `${where} ${id} is longer than ${MAX_RULE_LINES} lines`,
      !proved.has(id) && `${where} ${id} has no proof: no test calls verifies('${id}', …)`,
    ].filter(Boolean);
  });
};

const complaintsAboutBook = (root, chapters) => {
  const book = join(root, 'docs/SPEC.md');
  const text = existsSync(book) ? readFileSync(book, 'utf8') : '';
  return chapters
    .filter((file) => !text.includes(`(spec/${basename(file)})`))
    .map((file) => `docs/SPEC.md does not link spec/${basename(file)}`);
};

/** What is wrong between docs/spec and the tests under `root`; nothing when all is well. */
export const findComplaints = (root) => {
  const chapters = chaptersOf(root);
  const rules = chapters.flatMap(rulesOf);
  const known = new Set(rules.map(({ id }) => id));
  const proofs = ['apps', 'libs', 'test']
    .flatMap((dir) => filesUnder(join(root, dir)))
    .filter((path) => PROOF_FILE.test(path))
    .flatMap(proofsOf);
  return [
    ...(known.size === 0 ? ['docs/spec holds no rule'] : []),
    ...complaintsAboutBook(root, chapters),
    ...complaintsAboutRules(rules, new Set(proofs.map(({ id }) => id))),
    ...proofs
      .filter(({ id }) => !known.has(id))
      .map(({ file, id }) => `${file.slice(root.length + 1)} proves ${id}, which is no rule of docs/spec`),
  ];
};

if (basename(process.argv[1] ?? '') === 'spec-gate.mjs') {
  const complaints = [...new Set(findComplaints(process.cwd()))];
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length > 0 ? 1 : 0;
}
