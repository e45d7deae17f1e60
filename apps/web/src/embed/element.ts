/** Makes `<triptych-chat>` known to the page. */
import { TriptychChatElement } from './triptych-chat-element.js';

export type { ChatConnection, ChatStatus, GetToken } from './chat-props.js';
export { TriptychChatElement };

declare global {
  interface HTMLElementTagNameMap {
    'triptych-chat': TriptychChatElement;
  }
}

if (customElements.get('triptych-chat') === undefined)
  customElements.define('triptych-chat', TriptychChatElement);
