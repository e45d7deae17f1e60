/** Tells what a destination is to hear next: a card shows what is, a program is told one thing after the other. */
import type { TaskView } from '@triptych/protocol';
import type { What } from './bridge.js';
import type { ShownNow } from './posting.js';
import { hasRun, hashOf, isOpen, movedBy, printOf, wasOf, whatSince, type Was } from './print.js';

export interface Step {
  readonly what: What;
  /** Of this step at this task: the same over all attempts at it. */
  readonly stepId: string;
  /** What is known there once it has arrived. */
  readonly then: Omit<ShownNow, 'posted'>;
}

interface Owed {
  readonly what: What;
  /** As it is taken to be there afterwards. */
  readonly was: Was;
}

const closing = (was: Was, is: Was): Owed | undefined => {
  const then = { ...is, trouble: was.trouble };
  if (is.state === 'expired') return was.state === 'expired' ? undefined : { what: 'expired', was: then };
  if (isOpen(was.state))
    return { what: 'decided', was: hasRun(is.state) ? { ...then, state: 'decided' } : then };
  return hasRun(is.state) && !hasRun(was.state) ? { what: 'resumed', was: then } : undefined;
};

/** What comes first of all that was not told yet; of what an open task went through, the last counts. */
const nextOwed = (was: Was | undefined, is: Was): Owed | undefined => {
  const asked = isOpen(is.state);
  if (!was) return { what: 'created', was: { ...is, state: asked ? is.state : 'pending', trouble: false } };
  const closed = asked ? undefined : closing(was, is);
  if (closed) return closed;
  if (is.trouble && !was.trouble) return { what: 'failed', was: is };
  const moved = asked ? movedBy(was, is) : undefined;
  return moved && { what: moved, was: is };
};

/** By what the same thing, told twice, differs from another of its kind. */
const markOf = (what: What, { decision, claim, groups }: TaskView): unknown => {
  if (what === 'claimed') return claim?.by;
  return what === 'escalated' ? groups.length : decision?.at;
};

export interface Telling {
  readonly shown: ShownNow | undefined;
  readonly view: TaskView;
  /** Of this task at this destination. */
  readonly name: unknown;
}

/** For whoever has no card that is put right: what they are not told they never know. */
export const nextStepOf = ({ shown, view, name }: Telling): Step => {
  const is = wasOf(view);
  const told = shown?.told ?? 0;
  const { what, was } = nextOwed(shown?.was, is) ?? { what: 'changed', was: is };
  const isLast = nextOwed(was, is) === undefined;
  return {
    what,
    stepId: hashOf(name, told, what, what === 'created' ? '' : markOf(what, view)),
    // Nothing has the empty print: as long as more is to be told, it is behind.
    then: { print: isLast ? printOf(view) : '', was: isLast ? is : was, told: told + 1 },
  };
};

export const stepOf = ({ shown, view, name }: Telling): Step => {
  const print = printOf(view);
  return {
    what: whatSince(shown?.was, view),
    stepId: hashOf(name, print),
    then: { print, was: wasOf(view) },
  };
};
