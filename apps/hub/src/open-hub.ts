/** Opens the hub's doors: HTTP, sockets and pages on one port. */
import { resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ProcessParts } from '@triptych/assembly';
import { isAguiUpgrade, judgeAguiUpgrade } from './agui/agui-upgrade.js';
import { PlainSockets } from './agui/plain-sockets.js';
import { HubMetrics } from './health/hub-metrics.js';
import { HubModule } from './hub.module.js';
import { guardEveryRequest } from './http/front-guard.js';
import type { Gate } from './http/gatekeeper.js';
import { OpenDoors } from './identity/open-doors.js';
import { TOKENS, type TokenVerifier } from './identity/tokens.providers.js';
import { Tickets } from './identity/tickets.js';
import { AgentSockets } from './rooms/agent-sockets.js';
import { isAgentUpgrade, judgeAgentUpgrade } from './ingest/agent-upgrade.js';
import { IngestDesk } from './ingest/ingest-desk.js';
import { servePages } from './pages/serve-pages.js';
import { drainSockets } from './sockets/drain.js';
import { Sessions } from './rooms/sessions.js';
import { SurfaceAdapter } from './sockets/surface-adapter.js';
import { judgeUpgrade, type UpgradeTerms } from './sockets/upgrade-judge.js';

/** Built next to the server code. */
const PAGES = resolve(import.meta.dirname, '../../../web');

export const openHub = async (parts: ProcessParts): Promise<NestExpressApplication> => {
  const { settings, log } = parts;
  const app = await NestFactory.create<NestExpressApplication>(HubModule.forRoot(parts), {
    logger: false,
    abortOnError: false,
    bodyParser: false,
    forceCloseConnections: true,
  });
  const gate = {
    origins: new Set([...settings.publicOrigins, ...settings.allowedOrigins]),
    dev: settings.auth.mode === 'dev',
  };
  app.use(app.get(HubMetrics).count);
  guardEveryRequest(app, { gate, settings });
  servePages(app, PAGES);
  app.useWebSocketAdapter(socketsOf(app, gate, parts));
  app.enableShutdownHooks();
  await app.listen(settings.port, settings.host);
  log.info('hub.ready', { url: await app.getUrl(), pid: process.pid, authMode: settings.auth.mode });
  return app;
};

const socketsOf = (
  app: NestExpressApplication,
  gate: Gate,
  { settings, log }: ProcessParts,
): SurfaceAdapter => {
  const [ingest, agents] = [app.get(IngestDesk), app.get(AgentSockets)];
  const [sessions, plain, tickets] = [app.get(Sessions), app.get(PlainSockets), app.get(Tickets)];
  const doors = app.get(OpenDoors);
  const terms: UpgradeTerms = {
    gate,
    tokens: app.get<TokenVerifier>(TOKENS),
    maxSockets: settings.limits.socketsPerSubject,
    redeem: tickets.redeem.bind(tickets),
    socketsOf: (actor) => doors.of('socket', actor),
  };
  return new SurfaceAdapter(app, {
    admit: (request) =>
      isAguiUpgrade(request)
        ? judgeAguiUpgrade(terms, request)
        : isAgentUpgrade(request)
          ? judgeAgentUpgrade({ ...terms, mayPush: (actor) => ingest.agentOf(actor) }, request)
          : judgeUpgrade(terms, request),
    maxFrameBytes: settings.limits.runFrameBytes,
    log,
    drain: () => {
      plain.drain();
      agents.drain();
      return drainSockets(sessions);
    },
  });
};
