/** The icon set: 16 px grid, 1.5 px line, drawn for these surfaces. */
import type { ReactNode } from 'react';

const SHAPES = {
  check: <path d="M3 8.5 6.5 12 13 4.5" />,
  x: <path d="m4 4 8 8M12 4l-8 8" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.3 1.6" />
    </>
  ),
  hourglass: (
    <path d="M4 2.5h8M4 13.5h8M5 2.5v2.2c0 1.6 3 2.2 3 3.3s-3 1.7-3 3.3v2.2M11 2.5v2.2c0 1.6-3 2.2-3 3.3s3 1.7 3 3.3v2.2" />
  ),
  right: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  left: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  down: <path d="M3.5 6 8 10.5 12.5 6" />,
  up: <path d="M3.5 10 8 5.5 12.5 10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  play: <path d="M5 3.2v9.6L12.5 8z" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  download: <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10" />,
  undo: (
    <>
      <path d="M5.5 3 2.5 6l3 3" />
      <path d="M2.5 6H10a3.5 3.5 0 0 1 0 7H6.5" />
    </>
  ),
  alert: (
    <>
      <path d="M8 2.3 14.2 13H1.8z" />
      <path d="M8 6.3v3.2M8 11.3v.2" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.3v3.7M8 4.9v.2" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.3" r="2.6" />
      <path d="M2.8 13.5c.5-2.7 2.6-4 5.2-4s4.7 1.3 5.2 4" />
    </>
  ),
  users: (
    <>
      <circle cx="6" cy="5.5" r="2.4" />
      <path d="M1.5 13.2c.4-2.5 2.2-3.7 4.5-3.7s4.1 1.2 4.5 3.7M10.3 3.3a2.4 2.4 0 0 1 0 4.4M11.8 9.8c1.5.5 2.4 1.6 2.7 3.4" />
    </>
  ),
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
      <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
    </>
  ),
  chat: (
    <path d="M2.5 4A1.5 1.5 0 0 1 4 2.5h8A1.5 1.5 0 0 1 13.5 4v5.5A1.5 1.5 0 0 1 12 11H7l-3.2 2.7V11A1.3 1.3 0 0 1 2.5 9.7z" />
  ),
  send: <path d="M8 13V3.5M3.8 7.5 8 3.3l4.2 4.2" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1.5" fill="currentColor" stroke="none" />,
  offline: (
    <path d="M1.8 6.3a9 9 0 0 1 3.4-2.2M14.2 6.3A9 9 0 0 0 8.3 3.7M4.2 9.1a5.6 5.6 0 0 1 2.7-1.5M11.8 9.1a5.6 5.6 0 0 0-1.3-.9M6.4 11.7a2.6 2.6 0 0 1 3.2 0M8 13.6v.05M2.8 2l10.6 11.5" />
  ),
  refresh: <path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 2.3v2.8h-2.8" />,
  branch: (
    <>
      <circle cx="4.5" cy="3.8" r="1.6" />
      <circle cx="4.5" cy="12.2" r="1.6" />
      <circle cx="11.5" cy="5.8" r="1.6" />
      <path d="M4.5 5.4v5.2M11.5 7.4c0 2.2-3.5 2.1-5.6 3.4" />
    </>
  ),
  list: <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.2M2.5 8h.2M2.5 12h.2" />,
  columns: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1.5" />
      <path d="M8 3v10" />
    </>
  ),
  timeline: <path d="M2.5 3v10M5 5h5M7 8h6M5 11h3.5" />,
  history: (
    <>
      <path d="M3 5.5A5.5 5.5 0 1 1 2.5 8M2.5 3v2.7h2.8" />
      <path d="M8 5.3V8l1.9 1.2" />
    </>
  ),
  scale: <path d="M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5 1.3 9h3.4zM13 4.5 11.3 9h3.4z" />,
  eyeoff: (
    <path d="M2 2l12 12M6.4 3.9A6.6 6.6 0 0 1 8 3.7c3.3 0 5.3 2.6 6 4.3a8 8 0 0 1-1.7 2.4M4 5.2A8 8 0 0 0 2 8c.7 1.7 2.7 4.3 6 4.3 1 0 1.9-.2 2.7-.6" />
  ),
  eye: (
    <>
      <path d="M2 8c.7-1.7 2.7-4.3 6-4.3s5.3 2.6 6 4.3c-.7 1.7-2.7 4.3-6 4.3S2.7 9.7 2 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  pen: (
    <path d="m9.8 3.7 2.5 2.5M2.8 13.2l.7-3.2 7.3-7.3a1.3 1.3 0 0 1 1.8 0l.7.7a1.3 1.3 0 0 1 0 1.8L6 12.5z" />
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  more: <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" strokeWidth="2.2" />,
  clip: (
    <path d="M13.4 7.6 8.1 12.9a3.3 3.3 0 0 1-4.7-4.7l5.6-5.6a2.2 2.2 0 0 1 3.1 3.1l-5.5 5.5a1.1 1.1 0 0 1-1.6-1.6l4.9-4.9" />
  ),
  flag: <path d="M3.5 14V2.7M3.5 3.2c3-1.5 5 1.5 8.800.2v5.8c-3.8 1.3-5.8-1.7-8.8-.2" />,
  bolt: <path d="M8.8 2 3.5 9h3.8l-.6 5L12.5 7H8.4z" />,
  circle: <circle cx="8" cy="8" r="5.5" />,
  shield: (
    <>
      <path d="M8 2 13 3.8v4c0 3-2.1 5.2-5 6.2-2.9-1-5-3.2-5-6.2v-4z" />
      <path d="m5.7 8 1.7 1.7 3-3.2" />
    </>
  ),
  doc: <path d="M4 2.5h5.5L12.5 5.5v8H4zM9.3 2.5v3.3h3.2M6 8.5h4.5M6 11h4.5" />,
  sliders: (
    <>
      <path d="M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6" />
      <circle cx="10" cy="5" r="1.5" />
      <circle cx="6" cy="11" r="1.5" />
    </>
  ),
  hand: (
    <path d="M5 8V4.2a1.1 1.1 0 0 1 2.2 0V7.5 3.3a1.1 1.1 0 0 1 2.2 0v4.2-3.3a1.1 1.1 0 0 1 2.2 0V10c0 2.4-1.5 4-3.8 4-2 0-2.9-.9-3.8-2.4L2.6 9.3c-.6-1 .8-1.9 1.5-1z" />
  ),
  link: (
    <path d="M6.8 9.2a2.7 2.7 0 0 0 3.9 0l2-2a2.7 2.7 0 0 0-3.8-3.9l-.8.8M9.2 6.8a2.7 2.7 0 0 0-3.9 0l-2 2a2.7 2.7 0 0 0 3.8 3.9l.8-.8" />
  ),
  pin: (
    <>
      <path d="M8 14s4.5-4 4.5-7.3a4.5 4.5 0 0 0-9 0C3.5 10 8 14 8 14z" />
      <circle cx="8" cy="6.7" r="1.6" />
    </>
  ),
  bell: <path d="M4 10.8V7a4 4 0 0 1 8 0v3.8l1 1.2H3zM6.7 13.6a1.4 1.4 0 0 0 2.6 0" />,
  swap: <path d="M3 5.5h9M9.5 3l2.7 2.5L9.5 8M13 10.5H4M6.5 8 3.8 10.5 6.5 13" />,
  server: (
    <>
      <rect x="2.5" y="3" width="11" height="4" rx="1" />
      <rect x="2.5" y="9" width="11" height="4" rx="1" />
      <path d="M5 5h.1M5 11h.1" />
    </>
  ),
  ask: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.3 6.3a1.8 1.8 0 1 1 2.5 1.7c-.5.3-.8.6-.8 1.2M8 11.3v.05" />
    </>
  ),
  archive: <path d="M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.7h3" />,
  inbox: <path d="M2.5 9 4.3 3.5h7.4L13.5 9v3.5h-11zM2.5 9h3.2c.2 1.2 1.1 2 2.3 2s2.1-.8 2.3-2h3.2" />,
  card: (
    <>
      <rect x="2" y="3.5" width="12" height="9" rx="1.5" />
      <path d="M2 6.5h12M4.5 10h2.5" />
    </>
  ),
  target: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

/** Always decorative: the word beside it says the same. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg
    className={className ? `i ${className}` : 'i'}
    viewBox="0 0 16 16"
    aria-hidden="true"
    focusable="false"
  >
    {SHAPES[name]}
  </svg>
);
