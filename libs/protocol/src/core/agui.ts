/** The AG-UI words this product uses; the only file that imports from `@ag-ui/core`. */
export { contentToText, PROTOCOL_VERSION } from '@ag-ui/core';
import type { AGUIEvent as KnownAguiEvent } from '@ag-ui/core';

export type {
  AgentCapabilities,
  Context,
  Interrupt,
  JsonPatch,
  JsonPatchOperation,
  Message,
  ResumeEntry,
  RunAgentInput,
  RunFinishedOutcome,
  Tool,
  ToolCall,
  ToolMessage,
} from '@ag-ui/core';

/** One AG-UI event as JSON: any object with a `type`, known to this version or not. */
export type AguiEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The 31 events of AG-UI 1.0, discriminated by `type`; use `known(event)` to get here from the wire form. */
export type KnownEvent = KnownAguiEvent;
