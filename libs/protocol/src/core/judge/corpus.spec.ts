import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventsOf, judgeAll, type Outcome } from '../../../test/judge-all.js';
import type { AguiEvent } from '../agui.js';
import { modelStep } from '../model/model-step.js';
import { emptyModel } from '../model/model.js';

interface Fixture {
  readonly name: string;
  readonly stream: readonly AguiEvent[];
  readonly expect: {
    readonly outcome: 'completed' | 'failed';
    readonly messages?: readonly unknown[];
    readonly messageCount?: number;
    readonly state?: unknown;
    readonly eventTypes?: readonly string[];
  };
}

const streams = join(resolve(process.env.TRIPTYCH_SHARED ?? '../shared'), 'conformance/streams');
const files = existsSync(streams) ? readdirSync(streams).filter((file) => file.endsWith('.json')) : [];
const readFixture = (file: string): Fixture =>
  JSON.parse(readFileSync(join(streams, file), 'utf8')) as Fixture;

/** A weakness of the reference client that the fixture pins: here a stream without an end is no success. */
const TRUNCATED: ReadonlySet<string> = new Set(['truncated-run-reported-as-completed']);

const judgeFixture = ({ stream }: Fixture): Outcome => {
  const first = stream.find(({ type }) => type === 'RUN_STARTED') ?? {};
  const { threadId = 't', runId = 'r' } = first as { threadId?: string; runId?: string };
  return judgeAll(stream, { threadId, runId });
};

/** Objects on the named keys, lists element by element. */
const pattern = (wanted: unknown): unknown => {
  if (Array.isArray(wanted)) return wanted.map(pattern);
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  const entries = Object.entries(wanted).map(([key, value]) => [key, pattern(value)]);
  return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
};

const checkModel = ({ expect: wanted }: Fixture, outcome: Outcome): void => {
  const model = eventsOf(outcome).reduce(modelStep, emptyModel());
  if (wanted.messages) expect(model.messages).toEqual(pattern(wanted.messages));
  if (wanted.messageCount !== undefined) expect(model.messages).toHaveLength(wanted.messageCount);
  if ('state' in wanted) expect(model.state).toEqual(pattern(wanted.state));
};

if (files.length === 0) {
  console.log(`No conformance streams in ${streams} (set TRIPTYCH_SHARED): they are skipped.`);
  it.skip('judges the conformance streams', () => undefined);
} else {
  it.each(files)('judges %s', (file) => {
    const fixture = readFixture(file);
    const outcome = judgeFixture(fixture);
    const completes = fixture.expect.outcome === 'completed' && !TRUNCATED.has(fixture.name);
    expect({ rule: outcome.rule, complete: outcome.complete }).toEqual({
      rule: completes ? undefined : outcome.rule,
      complete: completes,
    });
    if (completes) checkModel(fixture, outcome);
  });
}
