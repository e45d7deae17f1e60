/** The strip of time at the foot: how the log went, and a handle that goes back in it. */
import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import type { LogBook } from '../core/log-book.js';
import { barsOf, landmarksOf, placeOf, seqAt, seqByKey, type Span } from '../core/time-strip.js';
import { usePastText } from './texts.js';

const MAX_BARS = 150;
/** Fewer events than this in one bar are too few for a pace. */
const EVENTS_A_BAR = 2;
const WIDTH = 600;
const HEIGHT = 24;
const WIDEST = 4;

const barsFor = ({ from, to }: Span): number =>
  Math.min(MAX_BARS, Math.max(1, Math.ceil((to - from + 1) / EVENTS_A_BAR)));

const percent = (place: number): string => `${(place * 100).toFixed(2)}%`;

const Bars = ({ book, span, at }: { book: LogBook; span: Span; at: number }) => {
  const bars = useMemo(() => barsOf(book, span, barsFor(span)), [book, span]);
  const step = WIDTH / bars.length;
  const width = Math.min(step * 0.65, WIDEST);
  const here = placeOf(at, span) * bars.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((height, index) => {
        const tall = 2 + (height ?? 0) * (HEIGHT - 4);
        const past = height !== undefined && index <= here;
        return (
          <rect
            key={index}
            className={past ? 'd past' : 'd'}
            x={index * step + (step - width) / 2}
            y={HEIGHT - tall}
            width={width}
            height={tall}
          />
        );
      })}
    </svg>
  );
};

interface TimeStripProps {
  readonly book: LogBook;
  readonly span: Span;
  /** Undefined: live. */
  readonly at: number | undefined;
  readonly onAt: (seq: number | undefined) => void;
}

/** At the end it is live again: what comes moves it. */
const useHandle = ({ book, span, at, onAt }: TimeStripProps) => {
  const strip = useRef<HTMLDivElement>(null);
  const landmarks = useMemo(() => landmarksOf(book), [book]);
  const now = at ?? span.to;
  const go = (seq: number) => onAt(seq >= span.to ? undefined : seq);
  const toPointer = (event: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect();
    if (box) go(seqAt((event.clientX - box.left) / box.width, span));
  };
  return {
    ...{ strip, landmarks, now },
    onPointerDown: (event: PointerEvent) => {
      strip.current?.setPointerCapture(event.pointerId);
      toPointer(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (strip.current?.hasPointerCapture(event.pointerId)) toPointer(event);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const seq = seqByKey(event.key, now, { span, landmarks });
      if (seq === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(seq);
    },
  };
};

export const TimeStrip = (props: TimeStripProps) => {
  const t = usePastText();
  const { formats } = useSurface();
  const { book, span, at, onAt } = props;
  const { strip, landmarks, now, ...handlers } = useHandle(props);
  return (
    <div className="scrub" role="group" aria-label={t('p.strip')}>
      <p className="pos">
        <b>{t('p.at', { n: formats.number(now) })}</b> {t('p.of', { n: formats.number(span.to) })}
      </p>
      <div
        className="strip"
        ref={strip}
        role="slider"
        tabIndex={0}
        aria-label={t('p.event')}
        aria-valuemin={span.from}
        aria-valuemax={span.to}
        aria-valuenow={now}
        aria-valuetext={t('p.at', { n: formats.number(now) })}
        {...handlers}
      >
        <Bars book={book} span={span} at={now} />
        {landmarks.map(({ seq, kind }) => (
          <i key={seq} className={`mk ${kind}`} style={{ insetInlineStart: percent(placeOf(seq, span)) }} />
        ))}
        <i className="hdl" style={{ insetInlineStart: percent(placeOf(now, span)) }} />
      </div>
      {at === undefined ? (
        <span className="st live">
          <Icon name="play" />
          {t('p.live')}
        </span>
      ) : (
        <button type="button" className="btn sm" onClick={() => onAt(undefined)}>
          {t('p.back')}
        </button>
      )}
    </div>
  );
};
