/** The contents of the hub: the public face of the product. */
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import type { ProcessParts } from '@triptych/assembly';
import { AssemblyModule } from '@triptych/assembly/nest';
import { PlatformModule } from '@triptych/platform/nest';
import { AguiDoor } from './agui/agui-door.js';
import { AguiGateway } from './agui/agui.gateway.js';
import { PlainSockets } from './agui/plain-sockets.js';
import { AuditController } from './audit/audit.controller.js';
import { Downloads } from './audit/downloads.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { BatchCloser } from './approvals/batch-closer.js';
import { BatchesController } from './approvals/batches.controller.js';
import { BulkDoor } from './approvals/bulk-door.js';
import { InboxDesk } from './approvals/inbox-desk.js';
import { CountNews } from './approvals/count-news.js';
import { NewsDesk } from './approvals/news-desk.js';
import { Once } from './approvals/once.js';
import { TaskDoor } from './approvals/task-door.js';
import { TaskNews } from './approvals/task-news.js';
import { TenantNews } from './approvals/tenant-news.js';
import { bridgeControllers, bridgeDesks } from './bridges/bridges.parts.js';
import { CopilotKitController } from './copilotkit/copilotkit.controller.js';
import { DeadLettersController } from './deadletters/deadletters.controller.js';
import { deadLettersProvider } from './deadletters/deadletters.provider.js';
import { ApiDoc } from './health/api-doc.js';
import { HealthController } from './health/health.controller.js';
import { House } from './health/house.js';
import { HouseController } from './health/house.controller.js';
import { HubMetrics } from './health/hub-metrics.js';
import { OpenSockets } from './health/open-sockets.js';
import { Readiness } from './health/readiness.js';
import { InsideController } from './health/inside.controller.js';
import { RefusalFilter } from './http/refusal.filter.js';
import { ResultInterceptor } from './http/result.interceptor.js';
import { CallerGuard } from './identity/caller.guard.js';
import { DevTokenController } from './identity/dev-token.controller.js';
import { JwksController } from './identity/jwks.controller.js';
import { OpenDoors } from './identity/open-doors.js';
import { RevocationsController } from './identity/revocations.controller.js';
import { Tickets } from './identity/tickets.js';
import { tokensProviders } from './identity/tokens.providers.js';
import { AgentDoor } from './ingest/agent-door.js';
import { AgentFrames } from './ingest/agent-frames.js';
import { AgentGateway } from './ingest/agent.gateway.js';
import { AgentPresence } from './rooms/agent-presence.js';
import { AgentSockets } from './rooms/agent-sockets.js';
import { IngestController } from './ingest/ingest.controller.js';
import { IngestDesk } from './ingest/ingest-desk.js';
import { ConfigController } from './pages/config.controller.js';
import { PolicyController } from './policy/policy.controller.js';
import { RevealController } from './reveal/reveal.controller.js';
import { RevealDesk } from './reveal/reveal-desk.js';
import { RevealRates } from './reveal/reveal-rates.js';
import { StateReveal } from './reveal/state-reveal.js';
import { roomsProviders } from './rooms/rooms.providers.js';
import { Sessions } from './rooms/sessions.js';
import { AgentsController } from './runs/agents.controller.js';
import { AnswerDesk } from './runs/answer-desk.js';
import { RunCancel } from './runs/run-cancel.js';
import { RunController } from './runs/run.controller.js';
import { RunDesk } from './runs/run-desk.js';
import { RunDoor } from './runs/run-door.js';
import { RunExtend } from './runs/run-extend.js';
import { RunExtendController } from './runs/run-extend.controller.js';
import { RunRates } from './runs/run-rates.js';
import { RunStarts } from './runs/run-starts.js';
import { RunStreams } from './runs/run-streams.js';
import { ThreadTurns } from './runs/thread-turns.js';
import { RunTerms } from './runs/run-terms.js';
import { RunTrees } from './runs/run-trees.js';
import { RunsController } from './runs/runs.controller.js';
import { UnreadRuns } from './runs/unread-runs.js';
import { FrameDesk } from './sockets/frame-desk.js';
import { RightsDesk } from './sockets/rights-desk.js';
import { SessionDesk } from './sockets/session-desk.js';
import { SocketDoor } from './sockets/socket-door.js';
import { CustomerGateway, OperatorGateway, ReviewerGateway } from './sockets/surface-gateways.js';
import { TicketsController } from './sockets/tickets.controller.js';
import { EventsController } from './threads/events.controller.js';
import { OperatorLog } from './threads/operator-log.js';
import { OperatorLogController } from './threads/operator-log.controller.js';
import { ThreadAccess } from './threads/thread-access.js';
import { ThreadShelf } from './threads/thread-shelf.js';
import { ThreadViews } from './threads/thread-views.js';
import { SnapshotController } from './threads/snapshot.controller.js';
import { ThreadsController } from './threads/threads.controller.js';

const controllers = [
  AgentsController,
  ApprovalsController,
  AuditController,
  BatchesController,
  ...bridgeControllers,
  ConfigController,
  CopilotKitController,
  DeadLettersController,
  DevTokenController,
  EventsController,
  HealthController,
  HouseController,
  IngestController,
  InsideController,
  JwksController,
  OperatorLogController,
  PolicyController,
  RevealController,
  RevocationsController,
  RunController,
  RunExtendController,
  RunsController,
  SnapshotController,
  ThreadsController,
  TicketsController,
];
const gateways = [AgentGateway, AguiGateway, CustomerGateway, OperatorGateway, ReviewerGateway];
const desks = [
  AgentDoor,
  AgentFrames,
  AgentPresence,
  AgentSockets,
  AguiDoor,
  AnswerDesk,
  ApiDoc,
  Downloads,
  CountNews,
  FrameDesk,
  House,
  HubMetrics,
  InboxDesk,
  IngestDesk,
  NewsDesk,
  Once,
  OpenDoors,
  OperatorLog,
  OpenSockets,
  PlainSockets,
  Readiness,
  RevealDesk,
  RevealRates,
  StateReveal,
  RightsDesk,
  RunCancel,
  RunDesk,
  RunDoor,
  RunExtend,
  RunRates,
  RunStarts,
  RunStreams,
  ThreadTurns,
  RunTerms,
  RunTrees,
  SessionDesk,
  Sessions,
  SocketDoor,
  BulkDoor,
  BatchCloser,
  TaskDoor,
  TaskNews,
  TenantNews,
  ThreadAccess,
  ThreadShelf,
  ThreadViews,
  Tickets,
  UnreadRuns,
];

@Module({})
export class HubModule {
  static forRoot(parts: ProcessParts): DynamicModule {
    return {
      module: HubModule,
      imports: [DiscoveryModule, PlatformModule.forRoot(parts), AssemblyModule.forRoot(parts)],
      controllers,
      providers: [
        { provide: APP_GUARD, useClass: CallerGuard },
        { provide: APP_FILTER, useClass: RefusalFilter },
        { provide: APP_INTERCEPTOR, useClass: ResultInterceptor },
        ...tokensProviders,
        ...roomsProviders,
        ...desks,
        ...bridgeDesks,
        deadLettersProvider,
        ...gateways,
      ],
    };
  }
}
