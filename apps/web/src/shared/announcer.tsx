/** One polite and one assertive live region per surface, outside everything that is redrawn. */
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

export type Announce = (text: string, how?: 'polite' | 'assertive') => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

export const Announcer = ({ children }: { children: ReactNode }) => {
  const [polite, setPolite] = useState('');
  const [assertive, setAssertive] = useState('');
  const announce = useCallback<Announce>((text, how = 'polite') => {
    (how === 'polite' ? setPolite : setAssertive)(text);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="sr" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="sr" role="alert" aria-live="assertive">
        {assertive}
      </div>
    </AnnounceContext>
  );
};
