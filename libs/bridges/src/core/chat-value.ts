/** Seals into a button which task it belongs to and what its card showed: `t1.<taskId>.<rev>.<mac>`. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a card showed. */
export interface Shown {
  readonly taskId: string;
  readonly rev: number;
  readonly proposalHash: string;
}

export interface ChatValue {
  readonly taskId: string;
  readonly rev: number;
  /** Whether the card with this button showed what the hash names. */
  showed(proposalHash: string): boolean;
}

export interface ChatValues {
  seal(shown: Shown): string;
  /** undefined: it was not sealed here, or was changed since. */
  open(text: string): ChatValue | undefined;
}

const MAC_BYTES = 12;
/** Two marks of 12 bytes: one of task and revision, one of the proposal too. */
const SEALED = /^t1\.([\w.-]{1,128})\.(\d{1,15})\.([\w-]{32})$/;

export const chatValues = (secret: Buffer): ChatValues => {
  const key = createHmac('sha256', secret).update('chat-value').digest();
  const markOf = (...parts: readonly string[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest().subarray(0, MAC_BYTES);
  return {
    seal: ({ taskId, rev, proposalHash }) => {
      const marks = [markOf(taskId, String(rev)), markOf(taskId, String(rev), proposalHash)];
      return `t1.${taskId}.${rev}.${Buffer.concat(marks).toString('base64url')}`;
    },
    open: (text) => {
      const [, taskId, rev, mac] = SEALED.exec(text) ?? [];
      if (taskId === undefined || rev === undefined || mac === undefined) return undefined;
      const marks = Buffer.from(mac, 'base64url');
      if (!timingSafeEqual(marks.subarray(0, MAC_BYTES), markOf(taskId, rev))) return undefined;
      const showed = (hash: string): boolean =>
        timingSafeEqual(marks.subarray(MAC_BYTES), markOf(taskId, rev, hash));
      return { taskId, rev: Number(rev), showed };
    },
  };
};
