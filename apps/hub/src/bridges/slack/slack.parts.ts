/** The contents of Slack's door. */
import type { Provider } from '@nestjs/common';
import type { Clock, Log, Shutdown } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SHUTDOWN } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { SlackActs } from './slack-acts.js';
import { SLACK, slackProvider, type SlackInstallation } from './slack-api.providers.js';
import { SlackCheck } from './slack-check.js';
import { SlackClicks } from './slack-clicks.js';
import { SlackDoor } from './slack-door.js';
import { SlackEvents } from './slack-events.js';
import { SlackForms } from './slack-forms.js';
import { SlackGate } from './slack-gate.js';
import { SlackLine } from './slack-line.js';
import { SlackPeople } from './slack-people.js';
import { SlackSubmissions } from './slack-submissions.js';
import { SlackTasks } from './slack-tasks.js';
import { SlackVoice } from './slack-voice.js';

/** Where Slack is off nothing is looked for. */
const clicksProvider: Provider = {
  provide: SlackClicks,
  inject: [SLACK, SHUTDOWN, REDIS, SlackActs, CLOCK, LOG],
  useFactory: (...given: [SlackInstallation | undefined, Shutdown, Redis, SlackActs, Clock, Log]) => {
    const [slack, shutdown, redis, acts, clock, log] = given;
    const clicks = new SlackClicks({ redis, acts, clock, log });
    if (slack) shutdown.add('slack clicks', clicks.follow());
    return clicks;
  },
};

/** A line is kept where the installation has an app's token. */
const lineProvider: Provider = {
  provide: SlackLine,
  inject: [SLACK, SHUTDOWN, SlackDoor, SlackEvents, LOG],
  useFactory: (...given: [SlackInstallation | undefined, Shutdown, SlackDoor, SlackEvents, Log]) => {
    const [slack, shutdown, door, events, log] = given;
    const line = new SlackLine({ door, events, log });
    if (slack?.line) shutdown.add('slack line', line.follow(slack.line));
    return line;
  },
};

export const slackDesks: readonly Provider[] = [
  slackProvider,
  SlackActs,
  SlackCheck,
  clicksProvider,
  SlackDoor,
  SlackEvents,
  SlackForms,
  SlackGate,
  lineProvider,
  SlackPeople,
  SlackSubmissions,
  SlackTasks,
  SlackVoice,
];
