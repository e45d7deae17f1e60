/** Proves the customer's small rules: progress, waiting hours, answers, and messages kept until they are sent. */
import { refusal, type Interrupt } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { startersOf } from './agent.js';
import { entriesOf, isYesNo, type Answer } from './answers.js';
import {
  agentFor,
  arrived,
  keptFrom,
  nextToSend,
  refused,
  restored,
  retried,
  sending,
  sentTo,
  unsentReason,
  write,
  type Kept,
} from './outbox.js';
import { progressOf, type Acting } from './progress.js';
import { serviceHours } from './service-hours.js';
import { closesAt, isLate } from './waiting.js';

const set = (...names: string[]): ReadonlySet<string> => new Set(names);
const LABELS = ['Identity', 'Risk check', 'Adviser review'];

describe('beginnings', () => {
  const agent = (starters: unknown) => ({
    id: 'a',
    name: 'A',
    capabilities: { identity: { metadata: { starters } } },
  });

  verifies('WEB-102', 'are two at most, and only words', () => {
    expect(startersOf(agent(['one', 'two', 'three']))).toEqual(['one', 'two']);
    expect(startersOf(agent([1, '', null, 'one']))).toEqual(['one']);
    for (const given of ['one', { 0: 'one' }, null, undefined]) expect(startersOf(agent(given))).toEqual([]);
    expect(startersOf({ id: 'a', name: 'A' })).toEqual([]);
    expect(startersOf(undefined)).toEqual([]);
  });
});

describe('progress', () => {
  const seen = (...names: string[]) => ({ finished: set(...names), running: set() });

  verifies('WEB-5', 'is counted in the steps there are, and only once one has been seen', () => {
    expect(progressOf([], seen('Identity'), 'agent')).toBeUndefined();
    expect(progressOf(LABELS, { finished: set(), running: set('Something else') }, 'agent')).toBeUndefined();
    expect(
      progressOf(LABELS, { finished: set('Identity'), running: set('Risk check') }, 'agent'),
    ).toMatchObject({ at: 2, standing: 'going' });
  });

  verifies('WEB-5', 'a step an adviser or the customer is at is waiting, not running', () => {
    const states = (acting: Acting) =>
      progressOf(LABELS, seen('Identity', 'Risk check'), acting)?.steps.map(({ state }) => state);
    expect(states('adviser')).toEqual(['done', 'done', 'waiting']);
    expect(states('you')).toEqual(['done', 'done', 'you']);
    expect(progressOf(LABELS, seen(...LABELS), 'nobody')).toMatchObject({ at: 3, standing: 'finished' });
  });

  verifies('WEB-5', 'no step reads as running when no run is under way', () => {
    const progress = progressOf(LABELS, seen('Identity'), 'nobody');
    expect(progress).toMatchObject({ done: 1, standing: 'paused' });
    expect(progress?.steps.map(({ state }) => state)).toEqual(['done', 'todo', 'todo']);
  });
});

describe('waiting', () => {
  const HOURS = 'Mo-Fr 08:00-18:00 Europe/Zurich';

  verifies('WEB-13', 'service hours say until when someone is in, or when next', () => {
    const thursday = Date.parse('2026-11-26T09:30:00Z');
    expect(serviceHours(HOURS, thursday)).toEqual({
      state: 'open',
      until: Date.parse('2026-11-26T17:00:00Z'),
    });
    const friday = Date.parse('2026-11-27T18:00:00Z');
    expect(serviceHours(HOURS, friday)).toEqual({
      state: 'closed',
      opensAt: Date.parse('2026-11-30T07:00:00Z'),
    });
    const early = Date.parse('2026-11-26T06:00:00Z');
    expect(serviceHours(HOURS, early)).toEqual({
      state: 'closed',
      opensAt: Date.parse('2026-11-26T07:00:00Z'),
    });
  });

  verifies('WEB-13', 'what cannot be read is not promised', () => {
    for (const hours of [
      '',
      'always',
      'Mo-Fr 08:00-18:00',
      'Mo-Fr 08:00-18:00 Nowhere/Land',
      'Mo,We 08:00-18:00 Europe/Zurich',
    ]) {
      expect(serviceHours(hours, 0)).toBeUndefined();
    }
    expect(closesAt({ id: 'q', reason: 'input_required', expiresAt: 'soon' } as Interrupt)).toBeUndefined();
  });

  verifies('WEB-13', 'a promise that was not kept is no longer made', () => {
    expect(isLate({ sentAt: 0, usualMs: 1_000 }, 1_001)).toBe(true);
    expect(isLate({ sentAt: 0, usualMs: 1_000 }, 999)).toBe(false);
    expect(isLate({ usualMs: 1_000 }, 1_001)).toBe(false);
  });
});

describe('answers', () => {
  const interrupt = (id: string, more: Partial<Interrupt> = {}) =>
    ({ id, reason: 'input_required', ...more }) as Interrupt;

  verifies('WEB-15', 'open questions are answered together, all or none', () => {
    const questions = [interrupt('a'), interrupt('b')];
    const one = new Map<string, Answer>([['a', { value: { x: 1 }, fitting: true }]]);
    expect(entriesOf(questions, one)).toBeUndefined();
    expect(
      entriesOf(questions, new Map<string, Answer>([...one, ['b', { value: {}, fitting: false }]])),
    ).toBeUndefined();
    expect(
      entriesOf(questions, new Map<string, Answer>([...one, ['b', { value: undefined, fitting: true }]])),
    ).toEqual([
      { interruptId: 'a', status: 'resolved', payload: { x: 1 } },
      { interruptId: 'b', status: 'resolved', payload: {} },
    ]);
  });

  verifies('WEB-15', 'a decision is yes or no, everything else is a form', () => {
    expect(isYesNo(interrupt('a', { reason: 'confirmation' }))).toBe(true);
    expect(
      isYesNo(interrupt('a', { responseSchema: { properties: { approved: { type: 'boolean' } } } })),
    ).toBe(true);
    expect(isYesNo(interrupt('a', { responseSchema: { properties: { amount: { type: 'number' } } } }))).toBe(
      false,
    );
  });
});

describe('the outbox', () => {
  const two = write(write([], 'a', 'first'), 'b', 'second');

  verifies('WEB-12', 'sends in order, one at a time, and only when the conversation is free', () => {
    expect(nextToSend(two, false)).toBeUndefined();
    expect(nextToSend(two, true)?.id).toBe('a');
    expect(nextToSend(sending(two, 'a'), true)).toBeUndefined();
    expect(nextToSend(arrived(sending(two, 'a'), new Set(['a'])), true)?.id).toBe('b');
  });

  verifies('WEB-12', 'a refused message waits for the person and keeps its text', () => {
    const no = refused(two, 'a', refusal('AGENT_UNAVAILABLE'));
    expect(no[0]).toMatchObject({ state: 'refused', text: 'first' });
    expect(nextToSend(retried(no, 'a'), true)?.id).toBe('a');
  });

  verifies(
    'WEB-12',
    'after a reload nothing is lost and every id is the same, so a repeat is harmless',
    () => {
      const stored: unknown = JSON.parse(JSON.stringify(sending(two, 'a')));
      expect(restored(stored)).toEqual(two);
      for (const broken of [undefined, null, 7, {}, [null, { id: 1 }]]) expect(restored(broken)).toEqual([]);
    },
  );

  verifies(
    'WEB-12',
    'what is written before it is known to whom goes to the default agent, and stays with it',
    () => {
      const early: Kept = { begins: {}, messages: two };
      expect(agentFor(early, { own: undefined, byDefault: undefined })).toBeUndefined();
      expect(agentFor(early, { own: undefined, byDefault: 'onboarding' })).toBe('onboarding');
      const tried = keptFrom(JSON.parse(JSON.stringify(sentTo(early, 'a', 'onboarding'))));
      expect(agentFor(tried, { own: undefined, byDefault: 'another' })).toBe('onboarding');
      expect(tried.messages).toEqual(two);
    },
  );

  verifies('WEB-12', 'a chosen agent is kept, and a conversation the hub knows has its own', () => {
    const chosen = keptFrom({ begins: { agentId: 'refunds' }, messages: two });
    expect(agentFor(chosen, { own: undefined, byDefault: 'onboarding' })).toBe('refunds');
    const known = keptFrom({ messages: two });
    expect(agentFor(known, { own: 'travel', byDefault: 'onboarding' })).toBe('travel');
    expect(agentFor(known, { own: undefined, byDefault: 'onboarding' })).toBeUndefined();
    expect(sentTo(known, 'a', 'travel').begins).toBeUndefined();
    for (const broken of [undefined, null, 7, { begins: null }])
      expect(keptFrom(broken)).toEqual({ messages: [] });
  });

  verifies('WEB-12', 'a message says that it is being sent, what it waits for, or that it is kept', () => {
    const calm = { connection: 'ready', running: false, nobody: false } as const;
    expect(unsentReason('kept', calm)).toBe('sending');
    expect(unsentReason('kept', { ...calm, connection: 'connecting' })).toBe('sending');
    expect(unsentReason('kept', { ...calm, connection: 'waiting' })).toBe('offline');
    expect(unsentReason('kept', { ...calm, running: true })).toBe('next');
    expect(unsentReason('sending', { ...calm, running: true })).toBe('sending');
    expect(unsentReason('kept', { ...calm, nobody: true })).toBe('no-agent');
  });
});
