/** Shows tasks where people already are, and knows who they are there. */
export { readBridges, type BridgesFile } from './adapters/bridges-file.js';
export {
  ATTEMPT_MS,
  MAX_POSTED,
  MAX_WHY,
  type Bridge,
  type Delivery,
  type Notice,
  type What,
} from './core/bridge.js';
export { compileBridges, type Bridges, type DecisionKey, type Route } from './core/bridges.js';
export { chatValues, type ChatValue, type ChatValues, type Shown } from './core/chat-value.js';
export {
  BRIDGE_KINDS,
  type BridgeKind,
  type Destination,
  type DestinationOf,
  type MailDestination,
  type SlackDestination,
  type TeamsDestination,
  type WebhookDestination,
} from './core/destination.js';
export { type LinkedName, type NamedPerson, People } from './core/people.js';
export { MailBridge, type MailParts } from './mail/adapters/mail-bridge.js';
export { WebhookBridge, type WebhookParts } from './webhook/adapters/webhook-bridge.js';
export { readCheckingKey, type CheckingKey } from './webhook/core/keys.js';
export { isSignedWith, isTimely, readSigned } from './webhook/core/signature.js';
