/** The small drawn signs all surfaces share: the mark, the running ring, a person's initials, a key. */
import type { ReactNode } from 'react';
import { initialsOf } from './personas.js';

export const Mark = () => (
  <svg className="mark" viewBox="0 0 18 18" aria-hidden="true">
    <rect x="1" y="4" width="4" height="11" rx="1" />
    <rect x="7" y="1" width="4" height="16" rx="1" />
    <rect x="13" y="4" width="4" height="11" rx="1" />
  </svg>
);

export const Ring = () => (
  <svg className="ring" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="6" />
    <path d="M8 2a6 6 0 0 1 6 6" />
  </svg>
);

export const Initials = ({ name, own = false }: { name: string; own?: boolean }) => (
  <span className={own ? 'av me' : 'av'} aria-hidden="true">
    {initialsOf(name)}
  </span>
);

export const Key = ({ children }: { children: ReactNode }) => <kbd>{children}</kbd>;
