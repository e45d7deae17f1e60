/** What the records say that are read from a change. */
import type { Actor } from '@triptych/access';
import { applyPatch, type Result } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  matterOf,
  olga,
  opened,
  person,
  policy,
  rita,
  ruleOnTransfer,
  sven,
  transferOf,
} from '../../test/bank.js';
import type { Batch } from './batch.js';
import type { Cause } from './cause.js';
import { withChange, type Change } from './change.js';
import { claim, heartbeat, takeover } from './claim.js';
import { comment } from './comment.js';
import { decide } from './decide.js';
import { applyDue } from './due.js';
import { retry } from './mend.js';
import { HUB } from './task.js';
import { notesOf, openingNotes, statusNotes } from './trail.js';

const through = { via: 'web', requestId: 'req-1', ip: '10.1.2.3', ua: 'Browser/1' } as const;
const atDesk = (actor: Actor): Actor => ({ ...actor, through });
const asking = { requestId: 'req-1', ip: '10.1.2.3', ua: 'Browser/1' };

const made = (result: Result<Change>): Change => {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
};

const decided = (batch: Batch, actor: Actor, over: object): Change => {
  const matter = matterOf(batch, actor);
  const { rev, proposalHash } = matter.task;
  return made(decide(matter, { verb: 'approve', rev, proposalHash, ...over }, ruleOnTransfer));
};

const actions = (batch: Batch, change: Change, cause: Cause): string[] =>
  notesOf(batch, change, cause).map(({ action }) => action);

describe('the records of a change', () => {
  const batch = opened(transferOf(500));
  const [task] = batch.tasks;

  verifies('AUD-1', 'the opening is told with all that was asked', () => {
    const [of, open] = openingNotes(batch);
    expect(of).toMatchObject({ action: 'batch.open', after: { agentId: 'teller', requesters: ['carl'] } });
    expect(open).toMatchObject({
      tenant: 'bank',
      action: 'task.open',
      actor: { id: HUB, via: 'system' },
      subject: { thread: batch.facts.threadId, run: 'run-1', task: task?.taskId },
      after: { proposal: { toolName: 'transfer', args: { amount: 500 } }, status: 'open' },
      proposalHash: task?.proposalHash,
      policyId: `transfer@${policy.version}`,
    });
    expect(open?.before).toBeUndefined();
    expect(open?.after).not.toHaveProperty('history');
  });

  verifies('AUD-2', 'whoever asked is named with role, door, request, address and program', () => {
    const change = made(claim(matterOf(batch, rita)));
    const [record] = notesOf(batch, change, atDesk(rita));
    expect(record).toMatchObject({
      action: 'task.claim',
      actor: { id: 'rita', role: 'reviewer', via: 'web' },
      ...asking,
    });
  });

  verifies('AUD-2', 'of several roles the one is named that allowed it', () => {
    const both = person('ovid', ['operator', 'reviewer'], ['advisors']);
    const rolesIn = (change: Change) => notesOf(batch, change, both).map(({ actor }) => actor.role);
    expect(rolesIn(made(claim(matterOf(batch, both))))).toEqual(['reviewer']);
    expect(rolesIn(decided(batch, both, {}))[0]).toBe('reviewer');
    expect(rolesIn(made(comment(matterOf(batch, both), 'Hm.')))).toEqual(['operator']);
  });

  verifies('AUD-2', 'what the hub does by itself is nobody’s, whoever happened to look', () => {
    const late = batch.tasks.map(({ expiresAt }) => expiresAt);
    const change = applyDue(batch, Math.max(...late));
    if (!change) throw new Error('nothing was due');
    const notes = notesOf(batch, change, HUB);
    expect(notes.map(({ action }) => action)).toEqual(['task.expire', 'batch.ready']);
    for (const { actor, ip } of notes) expect([actor, ip]).toEqual([{ id: HUB, via: 'system' }, undefined]);
    expect(notesOf(batch, change, atDesk(rita))[0]?.actor).toEqual({ id: HUB, via: 'system' });
  });

  verifies('AUD-3', 'a decision is told as it changed the task, and what it made of the batch', () => {
    const change = decided(batch, rita, {});
    const [approved, ready] = notesOf(batch, change, atDesk(rita));
    const [after] = change.tasks;
    expect(approved).toMatchObject({
      action: 'task.approve',
      before: { status: 'open', votes: [] },
      after: { status: 'settled', decision: { kind: 'approved', by: ['rita'] } },
      proposalHash: after?.proposalHash,
      payloadHash: after?.decision?.payloadHash,
      policyId: `transfer@${policy.version}`,
    });
    expect(approved?.after).not.toHaveProperty('proposal');
    expect(ready).toMatchObject({
      action: 'batch.ready',
      actor: { id: 'rita', via: 'web' },
      before: { state: 'open' },
      after: { state: 'ready' },
    });
  });

  verifies('AUD-3', 'what was said is in the record: reasons, comments, what came too late', () => {
    const held = withChange(batch, made(claim(matterOf(batch, rita))));
    const taken = made(takeover(matterOf(held, sven), { rev: 2, reason: 'She is ill.' }));
    expect(notesOf(held, taken, sven)[0]).toMatchObject({
      action: 'task.takeover',
      before: { claim: { by: 'rita' } },
      after: { claim: { by: 'sven' }, text: 'She is ill.' },
    });
    const said = made(comment(matterOf(batch, olga), 'Look twice.'));
    expect(notesOf(batch, said, olga)[0]?.after).toEqual({ text: 'Look twice.' });
  });

  verifies('AUD-5', 'an edit is told as the patch from the arguments before to those after', () => {
    const editedArgs = { amount: 400, note: 'less' };
    const change = decided(batch, rita, { editedArgs });
    const [edit, approve] = notesOf(batch, change, rita);
    expect([edit?.action, approve?.action]).toEqual(['task.edit', 'task.approve']);
    const diff = edit?.after?.diff as Parameters<typeof applyPatch>[1];
    expect(diff.length).toBeGreaterThan(0);
    const patched = applyPatch({ ...(task?.proposal.args as object) }, diff);
    expect(patched).toMatchObject({ ok: true, value: editedArgs });
    expect(edit?.before).toBeUndefined();
    expect(approve?.after).toMatchObject({ edit: { args: editedArgs }, rev: 2 });
  });

  verifies('AUD-1', 'a renewed claim leaves no record, a claim that became another does', () => {
    const held = withChange(batch, made(claim(matterOf(batch, rita))));
    expect(actions(held, made(heartbeat(matterOf(held, rita))), rita)).toEqual([]);
    const [holding] = held.tasks;
    if (holding?.status !== 'open' || !holding.claim) throw new Error('not held');
    const other: Change = { tasks: [{ ...holding, priority: 1 }], news: [] };
    expect(actions(held, other, rita)).toEqual(['task.change']);
  });

  verifies('AUD-1', 'a change that nobody wrote into the history is told all the same', () => {
    const [some] = batch.tasks;
    const change: Change = { tasks: some ? [{ ...some, priority: 99 }] : [], news: [] };
    const [record] = notesOf(batch, change, HUB);
    expect(record).toMatchObject({
      action: 'task.change',
      before: { priority: 50 },
      after: { priority: 99 },
    });
  });

  verifies('AUD-1', 'a history that is full forgets old lines, and no new one goes untold', () => {
    const line = (i: number) => ({ at: i, by: HUB, action: 'remind' });
    const history = Array.from({ length: 200 }, (_, i) => line(i));
    const full = { ...batch, tasks: batch.tasks.map((each) => ({ ...each, history })) };
    expect(actions(full, made(comment(matterOf(full, olga), 'One more.')), olga)).toEqual(['task.comment']);
  });

  verifies('AUD-1', 'what is done to the whole batch is told of each task and of the batch', () => {
    const stuck = { ...batch, status: { state: 'unknown', attempt: 1 } as const };
    const change = made(retry(stuck, { by: 'olga', now: 5 }));
    expect(notesOf(stuck, change, olga)).toMatchObject([
      { action: 'task.retry', actor: { id: 'olga', role: 'operator' } },
      { action: 'batch.ready', actor: { id: 'olga', role: 'operator' } },
    ]);
    expect(statusNotes(stuck, { state: 'done', at: 7, runId: 'r2' }, HUB)).toMatchObject([
      { action: 'batch.done', before: { state: 'unknown' }, after: { state: 'done', runId: 'r2' } },
    ]);
  });
});
