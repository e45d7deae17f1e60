/** The one look all cards have: a hairline, a title, a state, the facts. */
import type { ReactNode } from 'react';

interface CardFrameProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly footer?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export const CardFrame = ({ title, aside, footer, className, children }: CardFrameProps) => (
  <article className={className ? `card ${className}` : 'card'}>
    <header>
      <h3>{title}</h3>
      {aside}
    </header>
    <div className="in">{children}</div>
    {footer && <footer>{footer}</footer>}
  </article>
);
