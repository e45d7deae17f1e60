/** Says who may do it and who may see it. */
export {
  devTokens,
  newDevKey,
  type DevTokens,
  type SignedToken,
  type TokenRequest,
} from './adapters/dev-tokens.js';
export {
  type Issuer,
  verifierFrom,
  type TokenVerifier,
  type VerifierOptions,
} from './adapters/jose-tokens.js';
export {
  parsePlaced,
  readPlaced,
  type Compile,
  type FileProblem,
  type FileReading,
  type PlacedProblem,
} from './adapters/placed-yaml.js';
export { parsePolicyText, readPolicy, type PolicyFileReading } from './adapters/policy-file.js';
export {
  type Actor,
  type ClaimOptions,
  MAX_TOKEN_LIFE_MS,
  type Passage,
  type Role,
  ROLES,
  withoutRole,
} from './core/actor.js';
export { type BridgedBy, type BridgedCall, type LinkedPerson, spokenFor } from './core/bridge.js';
export { can, denial, forbidden, permit, roleFor, why } from './core/can.js';
export { compilePolicy, type PolicyProblem, type PolicyReading } from './core/compile-policy.js';
export { type Denial, isCandidate, REVIEW_MEMORY_MS } from './core/conditions.js';
export { readArguments } from './core/exact-json.js';
export type { Action, Candidacy, FactsOf, TaskFacts, ThreadFacts } from './core/facts.js';
export { canonicalOf } from './core/canonical.js';
export { keepHidden } from './core/kept-hidden.js';
export { NO_RULE } from './core/policy-schema.js';
export type { Handling, Policy, TaskSource } from './core/policy.js';
export {
  isPolicyTool,
  projectArgs,
  projectMatches,
  projectState,
  stepLabels,
  toolViewOn,
  writablePointers,
} from './core/projections.js';
export {
  MAX_REVOCATIONS,
  type Revocation,
  Revocations,
  type RevokedBy,
  REVOKED_BY,
  type RevokedName,
} from './core/revocations.js';
export { limitsKept, rulingFor, type Question, type Ruling } from './core/ruling.js';
export { stricterOf } from './core/stricter.js';
export { redactsArgs, revealArgs, revealState } from './core/reveal.js';
export { measureJson, type JsonMeasure } from './core/schema/json-measure.js';
export { safeSchema, type SafeSchema, type SafeSchemaReading } from './core/schema/safe-schema.js';
export { anyGlobMatches, globMatches } from './core/glob.js';
export { cutTo, POINTER, REDACTED, type Shape, shapeOf } from './core/shape.js';
export { surfaceFor } from './core/surface-for.js';
export { placeholderId } from './core/view/questions.js';
export { errorCode } from './core/view/run-error.js';
export { beginView, viewStep } from './core/view/view-step.js';
export type { EntryToShow, View, ViewedThread, ViewStep } from './core/view/view.js';
export { toldBy, type ToldBy } from './core/told-by.js';
