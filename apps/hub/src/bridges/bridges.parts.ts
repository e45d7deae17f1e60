/** The doors by which chats and other systems come in, and what stands behind them; each bridge adds its own. */
import type { Provider, Type } from '@nestjs/common';
import { DecisionDesk } from './decision-desk.js';
import { DecisionsController } from './decisions.controller.js';
import { LinkedCallers } from './linked-callers.js';
import { SignedSenders } from './signed-senders.js';
import { SlackController } from './slack/slack.controller.js';
import { slackDesks } from './slack/slack.parts.js';
import { TeamsController } from './teams/teams.controller.js';
import { teamsDesks } from './teams/teams.parts.js';
import { Unheard } from './unheard.js';

export const bridgeControllers: readonly Type[] = [DecisionsController, SlackController, TeamsController];

export const bridgeDesks: readonly Provider[] = [
  DecisionDesk,
  LinkedCallers,
  SignedSenders,
  Unheard,
  ...slackDesks,
  ...teamsDesks,
];
