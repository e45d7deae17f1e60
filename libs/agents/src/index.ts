/** Speaks AG-UI to agents. */
export { readAgents } from './adapters/agents-file.js';
export { openRun, type RunOptions } from './adapters/http-agent.js';
export type {
  AgentItem,
  AgentLimits,
  AgentOpened,
  Cut,
  NotOpened,
  OpenFailure,
} from './core/agent-answer.js';
export type { AgentSpec, AgentTimeouts, HttpAgentSpec, HttpConnect, PushConnect } from './core/agent-spec.js';
export { parseAgents, type AgentsProblem, type AgentsRead, type Environment } from './core/parse-agents.js';
