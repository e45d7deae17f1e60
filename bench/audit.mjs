/** How long it takes to verify a trail from files, as an auditor does at home, and whether a fault in it is still found. */
import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CompactSign } from 'jose';
import { ensureBuilt } from '../scripts/build.mjs';
import { root } from '../scripts/processes.mjs';
import { scaled } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';

const run = promisify(execFile);
const RECORDS = scaled(1_000_000);
const GOAL_S = 30;
const EVERY = 1_000;
const PIECE = 10_000;
const KID = 'bench';
/** Personal parts of the size that a decision's have, locked. */
const BOX = 'b'.repeat(320);
/** One byte of one record is changed in the second round. */
const TOUCHED = Math.ceil(RECORDS * 0.9);

const textOf = (seq) =>
  `{"about":{"box":"${BOX}","key":"5c7cf2a0-3a57-4f06-9d2c-0e6f3c6d2a11"},"action":"task.approve","actor":{"id":"rita","role":"reviewer","via":"web"},"at":${1_800_000_000_000 + seq},"proposalHash":"${'a'.repeat(64)}","seq":${seq},"subject":{"task":"task-${seq}","thread":"thread-${seq % 977}"},"tenant":"acme"}`;

const lineOf = (hash, text) => `{"hash":"${hash}","length":${text.length},"record":${text},"opened":{}}\n`;

const signWith = async (key, claim) => {
  const whole = await new CompactSign(Buffer.from(claim))
    .setProtectedHeader({ alg: 'EdDSA', kid: KID })
    .sign(key);
  const [head, , signature] = whole.split('.');
  return `${head}..${signature}`;
};

/** Canonical: members in the order of their names. */
const claimOf = ({ seq, hash, previous }) =>
  `{"at":1800000000000,"head":"${hash}","n":${seq / EVERY}${previous ? `,"previous":"${previous}"` : ''},"seq":${seq},"tenant":"acme"}`;

/** Two exports, the second with one byte changed; checkpoints and keys for both. */
const write = async (folder) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [good, touched, checkpoints] = ['good', 'touched', 'checkpoints'].map((name) => join(folder, name));
  const files = [good, touched, checkpoints].map((file) => openSync(file, 'w'));
  let hash = '0'.repeat(64);
  let previous;
  for (let from = 1; from <= RECORDS; from += PIECE) {
    const lines = [];
    for (let seq = from; seq < from + PIECE && seq <= RECORDS; seq++) {
      const text = textOf(seq);
      hash = createHash('sha256').update(hash, 'hex').update(text).digest('hex');
      lines.push(lineOf(hash, text));
      if (seq % EVERY !== 0) continue;
      const claim = claimOf({ seq, hash, previous });
      previous = await signWith(privateKey, claim);
      writeSync(files[2], `${claim.slice(0, -1)},"jws":"${previous}"}\n`);
    }
    writeSync(files[0], lines.join(''));
    if (TOUCHED >= from && TOUCHED < from + PIECE)
      lines[TOUCHED - from] = lines[TOUCHED - from].replace('rita', 'rite');
    writeSync(files[1], lines.join(''));
  }
  files.forEach((file) => closeSync(file));
  const { kty, crv, x } = publicKey.export({ format: 'jwk' });
  const jwks = join(folder, 'jwks');
  writeFileSync(jwks, JSON.stringify({ keys: [{ kty, crv, x, kid: KID, alg: 'EdDSA' }] }));
  return { good, touched, checkpoints, jwks };
};

const verify = async ({ checkpoints, jwks }, file) => {
  const args = ['audit', 'verify', '--export', file, '--checkpoints', checkpoints, '--jwks', jwks];
  const began = performance.now();
  const { stdout } = await run(process.execPath, [join(root, 'scripts/hubctl.mjs'), ...args]).catch(
    (error) => error,
  );
  return { said: stdout, seconds: (performance.now() - began) / 1_000 };
};

const mustSay = (said, words) => {
  if (!said.includes(words)) throw new Error(`hubctl said "${said.trim()}", not "${words}"`);
};

export const bench = async () => {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'triptych-bench-'));
  try {
    const files = await write(folder);
    const good = await verify(files, files.good);
    mustSay(good.said, `records 1 to ${RECORDS}, vouched for`);
    const touched = await verify(files, files.touched);
    mustSay(touched.said, `record ${TOUCHED} is not what was sealed`);
    const what = `${RECORDS.toLocaleString('en')} sealed records verified from an export, checkpoints and keys`;
    const more = `${((good.seconds * 1e6) / RECORDS).toFixed(1)} µs a record of ${textOf(RECORDS).length} bytes; one byte changed in record ${TOUCHED.toLocaleString('en')} is found`;
    return [{ what, ...atMost(GOAL_S, good.seconds, 's'), more }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
