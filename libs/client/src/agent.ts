/** The door for those who build on AG-UI's client: an agent over a socket that is resumed. */
export { HubAgent, type HubAgentConfig } from './agent/hub-agent.js';
export { HubRefused } from './agent/hub-refused.js';
