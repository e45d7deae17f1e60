/** What one change of a state of 150 KB costs a surface that sees parts of it, and whether it still sees what it may. */
import { isDeepStrictEqual } from 'node:util';
import { ensureBuilt } from '../scripts/build.mjs';
import { scaled } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';

const KILOBYTES = 150;
const GOAL_MS = 2;
/** Changes of each kind; each stands on what those before it left. */
const CHANGES = scaled(400);
/** Not measured: code runs slower before it is warm. */
const WARM = 50;

const POLICY = `surfaces:
  customer:
    state: [/rows, /far/*/name, /application/status]
    redact: [/rows/*/secret]
`;

/** Milliseconds of this process' own: what others have of the machine meanwhile is no matter. */
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

let made = 0;
const row = () => {
  made += 1;
  return {
    id: `row-${made}`,
    name: `Customer number ${made}`,
    secret: `secret-${made}`,
    tags: ['new', made],
  };
};

const newState = () => {
  const state = { application: { status: 'new', inner: {} }, rows: [], far: [] };
  while (JSON.stringify(state).length < KILOBYTES * 1_000)
    for (const list of [state.rows, state.far]) list.push(...Array.from({ length: 10 }, row));
  return state;
};

/** Each leaves the lists as long as they were, so that the last change is as large as the first. */
const KINDS = {
  'replace a value': (n) => [{ op: 'replace', path: '/application/status', value: `status ${n}` }],
  'replace deep in a list': (n) => [{ op: 'replace', path: `/rows/${n % 100}/name`, value: `name ${n}` }],
  'write what is redacted': (n) => [{ op: 'replace', path: `/rows/${n % 100}/secret`, value: `secret ${n}` }],
  'write what is hidden': (n) => [{ op: 'add', path: '/application/inner/n', value: n }],
  'push the first out': () => [
    { op: 'remove', path: '/rows/0' },
    { op: 'add', path: '/rows/-', value: row() },
  ],
  'put one in front': () => [
    { op: 'add', path: '/far/0', value: row() },
    { op: 'remove', path: '/far/50' },
  ],
  'move within a list': (n) => [{ op: 'move', from: `/rows/${n % 100}`, path: '/rows/3' }],
  'copy over a row': (n) => [
    { op: 'copy', from: `/far/${n % 100}`, path: '/far/0' },
    { op: 'remove', path: '/far/1' },
  ],
};

const openView = async () => {
  ensureBuilt();
  const { beginView, parsePolicyText, viewStep } = await import('../dist/libs/access/src/index.js');
  const { applyPatch } = await import('../dist/libs/protocol/src/index.js');
  const policy = parsePolicyText(POLICY, 'policy.yaml');
  if (!policy.ok) throw new Error(policy.why);
  let seq = 0;
  const step = (view, event) => {
    seq += 1;
    return viewStep(view, { seq, at: 0, source: 'agent', event });
  };
  const begun = () => beginView(policy.value, 'customer', { agentId: 'bench', tenant: 'default' });
  /** What somebody sees who is shown all of the state at once. */
  const seenOf = (snapshot) => step(begun(), { type: 'STATE_SNAPSHOT', snapshot }).shown[0].snapshot;
  const patched = (state, delta) => {
    const answer = applyPatch(state, delta);
    if (!answer.ok) throw new Error(answer.why);
    return answer.value;
  };
  return { begun, step, seenOf, patched };
};

const play = ({ begun, step, seenOf, patched }, [kind, deltaOf]) => {
  let full = newState();
  let { view, shown } = step(begun(), { type: 'STATE_SNAPSHOT', snapshot: full });
  let seen = shown[0].snapshot;
  let ms = 0;
  for (let n = 0; n < WARM + CHANGES; n += 1) {
    const delta = deltaOf(n);
    const began = spent();
    ({ view, shown } = step(view, { type: 'STATE_DELTA', delta }));
    if (n >= WARM) ms += spent() - began;
    full = patched(full, delta);
    for (const event of shown) seen = patched(seen, event.delta);
    if (!isDeepStrictEqual(seen, seenOf(full))) throw new Error(`${kind}: change ${n} led elsewhere`);
  }
  return { kind, ms: ms / CHANGES };
};

export const bench = async () => {
  const tools = await openView();
  const found = Object.entries(KINDS).map((each) => play(tools, each));
  const slowest = found.toSorted((a, b) => b.ms - a.ms)[0];
  return [
    {
      what: `Processor time a change of ${KILOBYTES} KB of state, shown in parts: the dearest of ${found.length} kinds`,
      ...atMost(GOAL_MS, slowest.ms, 'ms'),
      more: found.map(({ kind, ms }) => `${kind} ${ms.toFixed(2)}`).join(', '),
    },
  ];
};
