/** Shows tasks where people already are, and knows who they are there. */
export { CARDS_PART } from './adapters/bridge-keys.js';
export { readBridges, type BridgesFile } from './adapters/bridges-file.js';
export { bullNotify, NOTIFY_QUEUE, type NotifyJob } from './adapters/bull-notify.js';
export { RedisPostingStore } from './adapters/redis-posting-store.js';
export type { Bridge, Delivery, Notice } from './core/bridge.js';
export type { Bridges, DecisionKey } from './core/bridges.js';
export { chatValues, type ChatValues, type Shown } from './core/chat-value.js';
export type { BridgeKind, TeamsDestination } from './core/destination.js';
export { linksTo, type LinkTo } from './core/console-link.js';
export { linesOf as unmetLines, unmetNeeds, type Side, type Unmet } from './core/needs.js';
export { cutFor } from './core/route.js';
export type { Reach } from './core/target.js';
export { type LinkedName, type NamedPerson, People } from './core/people.js';
export { MailBridge } from './mail/adapters/mail-bridge.js';
export { PROGRESS_PART, RedisProgressStore } from './progress/adapters/redis-progress-store.js';
export type { RunListener, RunsToTell } from './progress/core/ports.js';
export type { Voice } from './progress/core/voice.js';
export { Teller } from './progress/shell/teller.js';
export { SlackApi, type SlackPerson } from './slack/adapters/slack-api.js';
export { SlackBridge } from './slack/adapters/slack-bridge.js';
export { SlackVoice } from './slack/adapters/slack-voice.js';
export { slackClient, type SlackTerms } from './slack/adapters/slack-client.js';
export type { Form as SlackForm } from './slack/core/form.js';
export { type Envelope as SlackEnvelope, SlackSocket } from './slack/adapters/slack-socket.js';
export {
  eventIn as slackEventIn,
  interactionIn as slackInteractionIn,
  parseEvent as parseSlackEvent,
  parseInteraction as parseSlackInteraction,
  type Interaction as SlackInteraction,
  type SlackEvent,
  type SlackCaller,
} from './slack/core/interaction.js';
export {
  formFor as slackFormFor,
  modalFor as slackModal,
  type ModalAct as SlackModalAct,
} from './slack/core/modal.js';
export { noteView as slackNoteView, slackNote } from './slack/core/note.js';
export { slackPlaces, type SlackPlaces } from './slack/core/places.js';
export { errorsIn as slackErrorsIn, readForm as readSlackForm } from './slack/core/read-form.js';
export { checkSignature as checkSlackSignature, type Signed as SlackSigned } from './slack/core/signature.js';
export { WebhookBridge } from './webhook/adapters/webhook-bridge.js';
export { readCheckingKey, type CheckingKey } from './webhook/core/keys.js';
export { isSignedWith, isTimely, readSigned } from './webhook/core/signature.js';
export { batchIdOf } from './core/notice-task.js';
export { DeadLetters } from './shell/dead-letters.js';
export { Notifier } from './shell/notifier.js';
export { BotToken } from './teams/adapters/bot-token.js';
export { type Answered, Connector, type Spot } from './teams/adapters/connector.js';
export { InboundTokens } from './teams/adapters/inbound-tokens.js';
export { RedisTeamsBook } from './teams/adapters/redis-teams-book.js';
export { TeamsBridge } from './teams/adapters/teams-bridge.js';
export { TeamsVoice } from './teams/adapters/teams-voice.js';
export { TEAMS_OPENID_URL, TeamsKeys } from './teams/adapters/teams-keys.js';
export { namesOf, placeIdOf, type Activity as TeamsActivity } from './teams/core/activity.js';
export { cardActionIn, type CardAction as TeamsAction } from './teams/core/card-action.js';
export { commandFor } from './teams/core/command-for.js';
export { type InvokeAnswer, withCard, withError, withMessage } from './teams/core/invoke-answer.js';
export { textMessage } from './teams/core/messages.js';
export { learnFrom } from './teams/core/places.js';
export { taskCard } from './teams/core/task-card.js';
