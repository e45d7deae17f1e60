/** The contents of the door of Teams. */
import type { Provider } from '@nestjs/common';
import { TeamsCallers } from './teams-callers.js';
import { TeamsCards } from './teams-cards.js';
import { TeamsDesk } from './teams-desk.js';
import { TeamsDoor } from './teams-door.js';
import { teamsProvider } from './teams.providers.js';
import { TeamsVoice } from './teams-voice.js';

export const teamsDesks: readonly Provider[] = [
  teamsProvider,
  TeamsCallers,
  TeamsCards,
  TeamsDesk,
  TeamsDoor,
  TeamsVoice,
];
