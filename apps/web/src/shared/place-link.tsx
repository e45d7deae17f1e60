/** A link to another place of this page: a plain click stays in it, every other one is the browser's. */
import type { MouseEvent, ReactNode } from 'react';
import { addressWith, goTo } from './url-state.js';

interface PlaceLinkProps {
  readonly there: Readonly<Record<string, string | undefined>>;
  readonly current?: 'page' | boolean;
  readonly className?: string;
  readonly onWent?: () => void;
  readonly children: ReactNode;
}

export const PlaceLink = ({ there, current, className, onWent, children }: PlaceLinkProps) => {
  const clicked = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goTo(there);
    onWent?.();
  };
  return (
    <a
      href={addressWith(window.location.pathname + window.location.search, there)}
      aria-current={current || undefined}
      {...(className === undefined ? {} : { className })}
      onClick={clicked}
    >
      {children}
    </a>
  );
};
