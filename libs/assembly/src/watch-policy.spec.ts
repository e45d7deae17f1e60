import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPolicy } from '@triptych/access';
import { systemClock, type Fields, type Log } from '@triptych/platform';
import { verifies } from '../../../test/spec/verifies.js';
import { PolicySource } from './policy-source.js';
import { watchPolicy } from './watch-policy.js';

const showing = (...pointers: readonly string[]): string =>
  `surfaces:\n  customer:\n    state: ${JSON.stringify(pointers)}\n`;

class Told {
  readonly lines: Fields[] = [];
  private waiting: (() => void)[] = [];

  readonly log: Log = {
    debug: () => undefined,
    info: (event, fields) => this.take({ event, ...fields }),
    warn: (event, fields) => this.take({ event, ...fields }),
    error: (event, fields) => this.take({ event, ...fields }),
    with: () => this.log,
  };

  /** The nth line, when it comes. */
  async line(nth: number): Promise<Fields> {
    while (this.lines.length < nth) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.lines[nth - 1]!;
  }

  private take(line: Fields): void {
    this.lines.push(line);
    for (const wake of this.waiting.splice(0)) wake();
  }
}

const folders: string[] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const plain = (folder: string): void => writeFileSync(join(folder, 'policy.yaml'), showing('/one'));

const watched = async (lay = plain) => {
  const folder = mkdtempSync(join(tmpdir(), 'triptych-policy-'));
  folders.push(folder);
  lay(folder);
  const file = join(folder, 'policy.yaml');
  const read = await readPolicy(file);
  if (!read.ok) throw new Error(read.why);
  const policy = new PolicySource(read.value);
  const told = new Told();
  stops.push(watchPolicy({ file, policy, clock: systemClock, log: told.log }));
  return { folder, file, policy, told, first: read.value };
};

describe('a changed policy file', () => {
  verifies('HUB-19', 'comes into force, and who listens is told once', async () => {
    const { file, policy, told, first } = await watched();
    const heard: string[] = [];
    const stop = policy.onChange(({ version }) => heard.push(version));
    writeFileSync(file, showing('/one', '/two'));
    const { event, version } = await told.line(1);
    expect(event).toBe('policy.changed');
    expect(version).not.toBe(first.version);
    expect([policy.current().version, heard]).toEqual([version, [version]]);
    stop();
    writeFileSync(file, showing('/three'));
    await told.line(2);
    expect(heard).toEqual([version]);
  });

  verifies('HUB-19', 'also when the file is replaced, or is a link that is turned elsewhere', async () => {
    const replaced = await watched();
    for (const nth of [1, 2]) {
      const next = join(replaced.folder, 'next.yaml');
      writeFileSync(next, showing(`/replaced${nth}`));
      renameSync(next, replaced.file);
      expect((await replaced.told.line(nth)).event).toBe('policy.changed');
    }

    const turned = await watched((folder) => {
      mkdirSync(join(folder, 'v1'));
      writeFileSync(join(folder, 'v1', 'policy.yaml'), showing('/v1'));
      symlinkSync('v1', join(folder, 'now'));
      symlinkSync(join('now', 'policy.yaml'), join(folder, 'policy.yaml'));
    });
    mkdirSync(join(turned.folder, 'v2'));
    writeFileSync(join(turned.folder, 'v2', 'policy.yaml'), showing('/v2'));
    symlinkSync('v2', join(turned.folder, 'next'));
    renameSync(join(turned.folder, 'next'), join(turned.folder, 'now'));
    expect((await turned.told.line(1)).event).toBe('policy.changed');
  });

  verifies('HUB-19', 'that is bad keeps the old one, and is told once, with line and column', async () => {
    const { folder, file, policy, told, first } = await watched();
    writeFileSync(file, 'surfaces:\n  customer:\n    shows: ["/one"]\n');
    const refused = await told.line(1);
    expect(refused).toMatchObject({ event: 'policy.refused', kept: first.version });
    expect(refused.why).toContain(`${file}:3:5`);
    expect(policy.current()).toBe(first);
    writeFileSync(join(folder, 'another file'), 'of no interest');
    rmSync(file);
    expect((await told.line(2)).why).toContain('cannot be read');
    writeFileSync(file, showing('/one'));
    writeFileSync(file, showing('/mended'));
    expect((await told.line(3)).event).toBe('policy.changed');
    expect(told.lines).toHaveLength(3);
  });

  verifies('HUB-19', 'whose listener fails is told, and the next one is taken all the same', async () => {
    const { file, policy, told } = await watched();
    const stop = policy.onChange(() => {
      throw new Error('broken');
    });
    writeFileSync(file, showing('/two'));
    expect(await told.line(1)).toMatchObject({ event: 'background.failed', work: 'policy-reload' });
    stop();
    writeFileSync(file, showing('/three'));
    expect((await told.line(2)).event).toBe('policy.changed');
  });
});
