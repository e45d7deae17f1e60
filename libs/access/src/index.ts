/** Says who may do it and who may see it. */
export {
  devTokens,
  newDevKey,
  type DevTokens,
  type SignedToken,
  type TokenRequest,
} from './adapters/dev-tokens.js';
export { verifierFrom, type TokenVerifier, type VerifierOptions } from './adapters/jose-tokens.js';
export {
  parsePolicyText,
  readPolicy,
  type FileProblem,
  type PolicyFileReading,
} from './adapters/policy-file.js';
export { actorFromClaims, ROLES, type Actor, type ClaimOptions, type Role } from './core/actor.js';
export { can, mayNot, why } from './core/can.js';
export { compilePolicy, type PolicyProblem, type PolicyReading } from './core/compile-policy.js';
export { isCandidate, REVIEW_MEMORY_MS } from './core/conditions.js';
export { parseExactJson, readArguments, type ExactJson } from './core/exact-json.js';
export type {
  Action,
  AgentFacts,
  Candidacy,
  FactsOf,
  NewThreadFacts,
  Owned,
  SurfaceFacts,
  TaskFacts,
  ThreadFacts,
} from './core/facts.js';
export { canonicalOf } from './core/canonical.js';
export { anyGlobMatches, globMatches } from './core/glob.js';
export type {
  ApprovalRule,
  CustomerNotice,
  Handling,
  Policy,
  ProjectedSurface,
  SurfacePolicy,
  TaskSource,
  ToolLabel,
} from './core/policy.js';
export {
  isPolicyTool,
  projectArgs,
  projectState,
  stepLabels,
  toolLabels,
  writablePointers,
} from './core/projections.js';
export { limitsKept, rulingFor, type Question, type Ruling } from './core/ruling.js';
export { measureJson, type JsonMeasure } from './core/schema/json-measure.js';
export { safeSchema, type SafeSchema, type SafeSchemaReading } from './core/schema/safe-schema.js';
export { REDACTED } from './core/shape.js';
export { surfaceFor } from './core/surface-for.js';
export { placeholderId } from './core/view/questions.js';
export { correlationRef } from './core/view/run-error.js';
export { AGENT_VOICE } from './core/view/text.js';
export { beginView, viewStep } from './core/view/view-step.js';
export type { EntryToShow, View, ViewedThread, ViewStep } from './core/view/view.js';
