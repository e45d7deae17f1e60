/** Folds streamed text, the agent's words and its reasoning alike, into messages. */
import type { Message } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { appendMessage, indexOfMessage, putMessage, withMetadata, type Metadata } from './messages.js';
import { warned, type Model } from './model.js';

export type TextStart = EventOf<'TEXT_MESSAGE_START'> | EventOf<'REASONING_MESSAGE_START'>;
export type TextContent = EventOf<'TEXT_MESSAGE_CONTENT'> | EventOf<'REASONING_MESSAGE_CONTENT'>;
export type TextEnd = EventOf<'TEXT_MESSAGE_END'> | EventOf<'REASONING_MESSAGE_END'>;

interface Update {
  readonly type: string;
  readonly messageId: string;
  readonly metadata?: Metadata;
}

/** The message's content is an object there, not text: nothing may be appended to it. */
const isActivity = (message: Message): boolean => message.role === 'activity';

const clash = (model: Model, { type, messageId }: Update): Model =>
  warned(model, `${type}: '${messageId}' is an activity, not a message`);

const newMessage = (event: TextStart): Message => {
  const { messageId: id, role = 'assistant', subagentRunId } = event;
  const name = event.type === 'TEXT_MESSAGE_START' ? event.name : undefined;
  return {
    id,
    role,
    content: '',
    ...(name === undefined ? {} : { name }),
    ...(subagentRunId === undefined ? {} : { subagentRunId }),
  } as Message;
};

/** A known id creates nothing: what follows is appended to the message that is there. */
export const startText = (model: Model, event: TextStart): Model => {
  const index = indexOfMessage(model, event.messageId);
  const found = model.messages[index];
  if (!found) return appendMessage(model, withMetadata(newMessage(event), event.metadata));
  if (isActivity(found)) return clash(model, event);
  return event.metadata === undefined ? model : putMessage(model, index, withMetadata(found, event.metadata));
};

export const appendText = (model: Model, event: TextContent): Model => {
  const index = indexOfMessage(model, event.messageId);
  const found = model.messages[index];
  if (!found) return warned(model, `${event.type}: there is no message '${event.messageId}'`);
  if (isActivity(found)) return clash(model, event);
  const before = typeof found.content === 'string' ? found.content : '';
  const longer = { ...found, content: before + event.delta } as Message;
  return putMessage(model, index, withMetadata(longer, event.metadata));
};

export const endText = (model: Model, event: TextEnd): Model => {
  const index = indexOfMessage(model, event.messageId);
  const found = model.messages[index];
  if (!found) return warned(model, `${event.type}: there is no message '${event.messageId}'`);
  if (event.metadata === undefined || isActivity(found)) return model;
  return putMessage(model, index, withMetadata(found, event.metadata));
};
