/** Puts a chat into an element: a shadow root, its looks, a React of its own. Both doors of the package end here. */
import { createRoot } from 'react-dom/client';
import type { ChatProps } from './chat-props.js';
import { GuestChat } from './guest-chat.js';
import { dress } from './styles.js';

export interface MountedChat {
  update(props: ChatProps): void;
  end(): void;
}

const KEYS = ['keydown', 'keypress', 'keyup'] as const;

/** What is typed here is not for the page's shortcuts; Escape and chords are. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Enter');

const keepTyping = (event: Event): void => {
  const [target] = event.composedPath();
  const isField = target instanceof Element && target.matches('input, textarea, select');
  if (isField && isTyped(event as KeyboardEvent)) event.stopPropagation();
};

export const mountChat = (host: HTMLElement, props: ChatProps): MountedChat => {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const box = host.ownerDocument.createElement('div');
  box.className = 'chat';
  shadow.append(box);
  dress(shadow);
  for (const name of KEYS) shadow.addEventListener(name, keepTyping);
  const root = createRoot(box);
  const update = (next: ChatProps): void => {
    const pageLanguage = host.closest('[lang]')?.getAttribute('lang') ?? null;
    root.render(<GuestChat {...next} name={host.id} pageLanguage={pageLanguage} />);
  };
  update(props);
  return {
    update,
    end: () => {
      root.unmount();
      box.remove();
      for (const name of KEYS) shadow.removeEventListener(name, keepTyping);
    },
  };
};
