/** What a method of the Web API answers: `ok:true` with members, or `ok:false` with the vendor's error word. */
export type Members = Readonly<Record<string, unknown>>;

export interface Fine extends Members {
  readonly ok: true;
}
export interface Fault extends Members {
  readonly ok: false;
  readonly error: string;
}
export type Answer = Fine | Fault;

export const fine = (members: Members = {}): Fine => ({ ok: true, ...members });
export const fault = (error: string, members: Members = {}): Fault => ({ ok: false, error, ...members });

/** The client reads these messages into its error, so people see which block was wrong. */
export const faultWith = (error: string, messages: readonly string[]): Fault =>
  fault(error, { response_metadata: { messages: messages.map((text) => `[ERROR] ${text}`) } });
