/** Proves the desk's rules: a list that does not move, deadlines, keys, fates and conflicts. */
import { refusal, type DecisionKind, type TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { between } from './bulk.js';
import { conflictOf, isFinal, isSameDecision, overtaken } from './conflict.js';
import { deskAct, type KeyPress } from './desk-keys.js';
import { fateOf, isSettled } from './fate.js';
import {
  answered,
  deskStep,
  EMPTY_DESK,
  EMPTY_QUEUE,
  isRead,
  laidOut,
  movedOn,
  queueStep,
  sectionOf,
  tasksIn,
  type Lay,
  type Queue,
} from './queue.js';
import { headlineOf } from '../../shared/headline.js';
import { dueOf, holderOf } from './task-words.js';

const MINUTE = 60_000;
const task = (taskId: string, more: Partial<TaskView> = {}): TaskView =>
  ({
    taskId,
    state: 'pending',
    groups: [],
    createdAt: 0,
    requester: 'amelia',
    agentId: 'a',
    reason: 'tool_call',
    proposal: {},
    batch: { state: 'open', open: 1, total: 1 },
    ...more,
  }) as TaskView;
const NOBODY: ReadonlySet<string> = new Set();
const LAY: Lay = {
  compare: (a, b) => (a.dueAt ?? 99) - (b.dueAt ?? 99),
  closed: false,
};
const shown = (queue: Queue): readonly string[] => tasksIn(queue).map(({ taskId }) => taskId);
const begun = (): Queue =>
  laidOut(queueStep(EMPTY_QUEUE, [task('b', { dueAt: 2 }), task('a', { dueAt: 1 })], LAY), NOBODY, LAY);

describe('the list', () => {
  verifies('WEB-6', 'new tasks wait behind a count until the reader asks for them', () => {
    const grown = queueStep(
      begun(),
      [task('a', { dueAt: 1 }), task('b', { dueAt: 2 }), task('c', { dueAt: 0 })],
      LAY,
    );
    expect(shown(grown)).toEqual(['a', 'b']);
    expect(grown.fresh).toEqual(['c']);
    expect(shown(laidOut(grown, NOBODY, LAY))).toEqual(['c', 'a', 'b']);
  });

  verifies('WEB-6', 'nobody is disturbed in an empty list or one that nobody is at', () => {
    const nobody = { rows: 2, focused: false, pointed: false, scrolled: 0, selected: false, picking: false };
    expect(isRead(nobody)).toBe(false);
    for (const at of [
      { focused: true },
      { pointed: true },
      { scrolled: 1 },
      { selected: true },
      { picking: true },
    ]) {
      expect(isRead({ ...nobody, ...at })).toBe(true);
      expect(isRead({ ...nobody, ...at, rows: 0 })).toBe(false);
    }
  });

  verifies('WEB-6', 'where nobody reads, new tasks take their place at once and are counted', () => {
    const look = { now: 5, reading: NOBODY, held: false, lay: LAY };
    const empty = deskStep(EMPTY_DESK, [], look);
    expect(empty).toMatchObject({ laidOutAt: 5, arrived: 0 });
    const one = deskStep(empty, [task('b', { dueAt: 2 })], { ...look, now: 6 });
    expect(shown(one.queue)).toEqual(['b']);
    expect(one).toMatchObject({ laidOutAt: 6, arrived: 1, queue: { fresh: [] } });
    const two = [task('b', { dueAt: 2 }), task('a', { dueAt: 1 })];
    const held = deskStep(one, two, { ...look, now: 7, held: true });
    expect(shown(held.queue)).toEqual(['b']);
    expect(held).toMatchObject({ laidOutAt: 6, arrived: 2, queue: { fresh: ['a'] } });
    expect(deskStep(held, two, { ...look, now: 8, held: true }).arrived).toBe(2);
    expect(shown(deskStep(held, two, { ...look, now: 9 }).queue)).toEqual(['a', 'b']);
  });

  verifies('WEB-6', 'what changes, changes in its place', () => {
    const changed = queueStep(
      begun(),
      [task('a', { dueAt: 9, state: 'decided' }), task('b', { dueAt: 2 })],
      LAY,
    );
    expect(shown(changed)).toEqual(['a', 'b']);
    expect(changed.known.get('a')?.state).toBe('decided');
  });

  verifies('WEB-6', 'what leaves stays to be seen until the reader moves on', () => {
    const left = queueStep(begun(), [task('b', { dueAt: 2 })], LAY);
    expect(shown(left)).toEqual(['a', 'b']);
    expect(left.gone.has('a')).toBe(true);
    expect(shown(movedOn(left, 'b'))).toEqual(['a', 'b']);
    expect(shown(movedOn(left, 'a'))).toEqual(['b']);
    expect(shown(laidOut(left, new Set('a'), LAY))).toEqual(['a', 'b']);
    expect(shown(laidOut(left, NOBODY, LAY))).toEqual(['b']);
  });

  verifies('WEB-40', 'what is picked stays, decided or gone, also when the list is laid out anew', () => {
    const left = queueStep(begun(), [task('a', { state: 'decided' }), task('c', { dueAt: 0 })], LAY);
    const picked = new Set(['a', 'b']);
    const anew = laidOut(left, picked, LAY);
    expect(shown(anew)).toEqual(['c', 'b', 'a']);
    expect([...anew.gone]).toEqual(['b']);
    expect(shown(laidOut(left, NOBODY, LAY))).toEqual(['c']);
  });

  verifies('WEB-6', 'a reconnect keeps the order', () => {
    expect(shown(queueStep(begun(), [task('b', { dueAt: 2 }), task('a', { dueAt: 3 })], LAY))).toEqual([
      'a',
      'b',
    ]);
  });

  verifies('WEB-6', 'a deadline that passes does not move its task to another section', () => {
    const late = task('a', { dueAt: 10 * MINUTE });
    expect(sectionOf(late, 0)).toBe('hour');
    expect(sectionOf(late, 11 * MINUTE)).toBe('over');
  });

  verifies('WEB-63', 'asked anew it has the order of the hub, and what is in hand stays', () => {
    const left = queueStep(begun(), [task('a', { state: 'decided', dueAt: 1 }), task('b')], LAY);
    const anew = answered(left, [task('y'), task('x')], { kept: new Set('a'), lay: LAY });
    expect(shown(anew)).toEqual(['a', 'y', 'x']);
    expect([...anew.gone]).toEqual(['a']);
    expect(shown(answered(left, [task('y')], { kept: NOBODY, lay: LAY }))).toEqual(['y']);
  });

  verifies('WEB-63', 'of a list that is shown in part only what came after it is new', () => {
    const part = { ...LAY, newAfter: 9 * MINUTE };
    const [old, young] = [task('old', { createdAt: 1 }), task('young', { createdAt: 10 * MINUTE })];
    const fresh = (lay: Lay) => queueStep(begun(), [old, young], lay).fresh;
    expect([fresh(part), fresh(LAY)]).toEqual([['young'], ['old', 'young']]);
  });

  verifies('WEB-64', 'a list of what is over holds what ends, and lets go of what is open again', () => {
    const closed = { ...LAY, closed: true };
    const over = (id: string) => task(id, { state: 'closed' });
    const queue = answered(EMPTY_QUEUE, [over('a'), over('b')], { kept: NOBODY, lay: closed });
    const later = queueStep(queue, [over('a'), task('b'), over('c'), task('d')], closed);
    expect(later.fresh).toEqual(['c']);
    expect(shown(laidOut(later, NOBODY, closed))).toEqual(['a', 'c']);
  });
});

describe('words of a task', () => {
  verifies('WEB-8', 'a deadline has a kind of its own before, near and after its time', () => {
    expect(dueOf({ dueAt: 61 * MINUTE }, 0).kind).toBe('later');
    expect(dueOf({ dueAt: 60 * MINUTE }, 0)).toEqual({ kind: 'soon', ms: 60 * MINUTE });
    expect(dueOf({ dueAt: 0 }, MINUTE)).toEqual({ kind: 'over', ms: MINUTE });
    expect(dueOf({}, 0)).toEqual({ kind: 'none' });
  });

  verifies('WEB-8', 'a claim that has run out holds nothing', () => {
    const claim = { by: 'ruth', until: 10, maxUntil: 20 };
    expect(holderOf({ claim }, 'tove', 9)).toEqual({ kind: 'other', by: 'ruth' });
    expect(holderOf({ claim }, 'ruth', 9)).toMatchObject({ kind: 'mine', until: 10 });
    expect(holderOf({ claim }, 'tove', 10)).toEqual({ kind: 'free' });
  });

  verifies('WEB-8', 'without a question of its own a task is called by its tool', () => {
    expect(headlineOf(task('a', { message: '  ', proposal: { toolName: 'openAccount' } }))).toBe(
      'Open account',
    );
  });
});

describe('keys', () => {
  const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
    key,
    modified: false,
    ctrl: false,
    shift: false,
    typing: false,
    onControl: false,
    ...more,
  });

  verifies('WEB-7', 'single letters act outside text fields only, and can be switched off', () => {
    expect(deskAct(press('a'), true)).toBe('approve');
    expect(deskAct(press('A'), true)).toBe('approve');
    expect(deskAct(press('a', { typing: true }), true)).toBeUndefined();
    expect(deskAct(press('a', { modified: true, ctrl: true }), true)).toBeUndefined();
    expect(deskAct(press('a'), false)).toBeUndefined();
  });

  verifies('WEB-65', 'with Shift a pick reaches back to the last one; without letters neither does', () => {
    expect(deskAct(press('X', { shift: true }), true)).toBe('range');
    expect(deskAct(press('X'), true)).toBe('pick');
    expect(deskAct(press('X', { shift: true }), false)).toBeUndefined();
    const ids = ['a', 'b', 'c', 'd'];
    expect(between(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
    expect(between(ids, 'b', 'c')).toEqual(['b', 'c']);
    expect([between(ids, undefined, 'c'), between(ids, 'gone', 'c')]).toEqual([['c'], ['c']]);
  });

  verifies('WEB-7', 'sending and going back work in text fields too; Enter is left to buttons', () => {
    const typing = { typing: true };
    expect(deskAct(press('Enter', { ...typing, ctrl: true, modified: true }), false)).toBe('send');
    expect(deskAct(press('Escape', typing), false)).toBe('back');
    expect(deskAct(press('Enter'), false)).toBe('open');
    expect(deskAct(press('Enter', { onControl: true }), true)).toBeUndefined();
  });
});

describe('what became of a task', () => {
  const fate = (more: Partial<TaskView>) => fateOf(task('a', more));
  const decision = { kind: 'approved', by: ['ruth'], at: 1 } as const;
  const batch = (state: TaskView['batch']['state'], open = 0) => ({ batchId: 'b', state, open, total: 2 });

  verifies('WEB-10', 'approved is not done', () => {
    expect(fate({ state: 'decided', decision, batch: batch('ready') })).toEqual({
      kind: 'going',
      decided: 'approved',
    });
    expect(fate({ state: 'dispatched', decision, batch: batch('running') })).toEqual({
      kind: 'going',
      decided: 'approved',
    });
    expect(fate({ state: 'closed', decision, batch: batch('done') })).toEqual({
      kind: 'done',
      decided: 'approved',
    });
    expect(fate({ state: 'decided', decision, batch: batch('open', 1) })).toEqual({
      kind: 'waiting',
      others: 1,
    });
  });

  verifies('WEB-10', 'unknown is never shown as failed or done', () => {
    expect(fate({ state: 'dispatched', decision, batch: batch('unknown') })).toEqual({ kind: 'unknown' });
    expect(fate({ state: 'dispatched', decision, batch: batch('retry_wait') })).toEqual({ kind: 'failed' });
    expect(fate({ state: 'dispatched', decision, batch: batch('blocked') })).toEqual({ kind: 'failed' });
    expect(isSettled({ kind: 'unknown' })).toBe(false);
  });

  verifies('WEB-10', 'expired, cancelled and replaced are three ends', () => {
    expect(fate({ state: 'expired' })).toEqual({ kind: 'expired' });
    expect(fate({ state: 'closed', decision: { ...decision, kind: 'cancelled' } })).toEqual({
      kind: 'cancelled',
    });
    expect(fate({ state: 'superseded' })).toEqual({ kind: 'superseded' });
    expect(fate({ state: 'held', heldUntil: 7 })).toEqual({ kind: 'held', until: 7 });
  });
});

describe('a refused act', () => {
  verifies('WEB-11', 'says who, what and when', () => {
    const lost = refusal('ALREADY_DECIDED', { details: { kind: 'approved', by: ['jan', 'ruth'], at: 5 } });
    expect(conflictOf(lost)).toEqual({ kind: 'decided', by: 'ruth', at: 5, decided: 'approved' });
    expect(conflictOf(refusal('CLAIM_LOST', { details: { by: 'jan' } }))).toEqual({
      kind: 'claimed',
      by: 'jan',
    });
    expect(
      conflictOf(
        refusal('RESUME_PAYLOAD_INVALID', {
          details: { errors: [{ pointer: '/fee', message: 'at least 0.5' }] },
        }),
      ),
    ).toEqual({
      kind: 'invalid',
      why: '/fee at least 0.5',
    });
  });

  verifies('WEB-11', 'tells what can still be done from what is over', () => {
    expect(isFinal(conflictOf(refusal('ALREADY_DECIDED')))).toBe(true);
    expect(isFinal(conflictOf(refusal('EXPIRED')))).toBe(true);
    for (const code of [
      'STALE_REVISION',
      'CLAIM_LOST',
      'STORE_UNAVAILABLE',
      'FORBIDDEN',
      'RATE_LIMITED',
    ] as const) {
      expect(isFinal(conflictOf(refusal(code)))).toBe(false);
    }
    expect(conflictOf(refusal('STORE_UNAVAILABLE'))).toEqual({ kind: 'unrecorded' });
  });

  verifies('WEB-11', 'a decision made while another was being written is told the same way', () => {
    const decision = { kind: 'approved', by: ['jan', 'ruth'], at: 5 } as const;
    expect(overtaken({ decision }, 'reject', 'tove')).toEqual({
      verb: 'reject',
      conflict: { kind: 'decided', by: 'ruth', at: 5, decided: 'approved' },
    });
    expect(overtaken({ decision }, 'reject', 'ruth')).toBeUndefined();
    expect(overtaken({}, 'reject', 'tove')).toBeUndefined();
  });

  verifies('WEB-11', 'the same answer by someone faster is told from another one', () => {
    const by = (decided: DecisionKind) => ({ kind: 'decided', by: 'ruth', decided }) as const;
    expect(isSameDecision({ verb: 'approve', conflict: by('approved') })).toBe(true);
    expect(isSameDecision({ verb: 'approve', conflict: by('rejected') })).toBe(false);
    expect(isSameDecision({ verb: 'edit', conflict: by('approved') })).toBe(false);
    expect(isSameDecision({ verb: 'approve', conflict: { kind: 'stale' } })).toBe(false);
  });
});
