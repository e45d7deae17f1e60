/** Follows the end of a growing text until the reader looks elsewhere. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Within this of the end a reader means the end. */
const NEAR_END_PX = 32;
const LEAVING_KEYS = new Set(['PageUp', 'Home', 'ArrowUp']);

export interface Follow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly following: boolean;
  readonly toEnd: () => void;
}

/** Between what is read from its top and the edge of the view. */
const TOP_GAP_PX = 16;

/** Where following leads: the end, but never past the beginning of what wants to be read whole. */
const endOf = (scroller: HTMLElement, content: HTMLElement | null): number => {
  const last = content?.lastElementChild;
  if (!last?.matches('[data-whole]')) return scroller.scrollHeight;
  const top = last.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  return Math.min(scroller.scrollHeight - scroller.clientHeight, top - TOP_GAP_PX);
};

const isAtEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END_PX;

export const useFollow = (): Follow => {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [following, setFollowing] = useState(true);
  const move = useCallback((to: boolean) => {
    follows.current = to;
    setFollowing(to);
  }, []);
  const toEnd = useCallback(() => {
    move(true);
    const element = scroller.current;
    if (element) element.scrollTop = endOf(element, content.current);
  }, [move]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const leave = (event: Event) => {
      const up =
        event instanceof WheelEvent
          ? event.deltaY < 0
          : event instanceof KeyboardEvent
            ? LEAVING_KEYS.has(event.key)
            : true;
      if (up && element.scrollHeight > element.clientHeight) move(false);
    };
    const scrolled = () => {
      if (isAtEnd(element) !== follows.current && isAtEnd(element)) move(true);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = endOf(element, content.current);
    });
    if (content.current) grown.observe(content.current);
    grown.observe(element);
    const events = ['wheel', 'touchmove', 'keydown'] as const;
    for (const name of events) element.addEventListener(name, leave, { passive: true });
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      grown.disconnect();
      for (const name of events) element.removeEventListener(name, leave);
      element.removeEventListener('scroll', scrolled);
    };
  }, [move]);
  return { scroller, content, following, toEnd };
};
