/** Says how long Slack waits, less what the way takes. */

/** An answer that is not there by then follows by other ways: Slack gives three seconds. */
export const ANSWER_MS = 2_300;
