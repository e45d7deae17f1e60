/** The kinds of places where tasks are shown; a further one is a folder, and a line here. */
import type { z } from 'zod';
import { mailKind } from '../mail/core/kind.js';
import { slackKind } from '../slack/core/kind.js';
import { teamsKind } from '../teams/core/kind.js';
import { webhookKind } from '../webhook/core/kind.js';
import type { Kind } from './kind.js';

export const KINDS = { slack: slackKind, teams: teamsKind, webhook: webhookKind, mail: mailKind };

/** By name; each judges the places of its own kind. */
export type Kinds = Readonly<Record<string, Kind<z.ZodRawShape, never>>>;
