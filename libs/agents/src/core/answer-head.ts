/** Judges the head of an agent's HTTP answer: a stream to read, a place to ask again, or a no. */
import type { NotOpened } from './agent-answer.js';

/** Enough for a gateway that adds a slash and one that adds a region; more is a loop. */
export const MAX_REDIRECTS = 3;

export interface AnswerHead {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly location?: string | undefined;
  /** Its `Retry-After`, milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

export type HeadVerdict =
  | { readonly is: 'stream' }
  | { readonly is: 'elsewhere'; readonly url: URL }
  | { readonly is: 'no'; readonly why: NotOpened };

export const judgeHead = (head: AnswerHead, asked: URL): HeadVerdict => {
  if (head.status >= 300 && head.status < 400) return judgeRedirect(head, asked);
  if (head.status < 200 || head.status >= 300) return no(head, `the agent answered ${head.status}`);
  if (mediaTypeOf(head.contentType) !== 'text/event-stream')
    return no(
      head,
      `the agent answered with ${mediaTypeOf(head.contentType) || 'no content type'}, not text/event-stream`,
    );
  if (head.contentEncoding && head.contentEncoding !== 'identity')
    return no(head, `the agent compressed its answer with ${head.contentEncoding}, which was not asked for`);
  return { is: 'stream' };
};

/** AGT-7: headers of the file hold secrets of this agent, so they never leave its origin; only 307 and 308 keep the POST. */
const judgeRedirect = (head: AnswerHead, asked: URL): HeadVerdict => {
  if (head.status !== 307 && head.status !== 308) return no(head, `the agent redirects with ${head.status}`);
  if (!head.location || !URL.canParse(head.location, asked.href))
    return no(head, 'the agent redirects to nowhere');
  const url = new URL(head.location, asked.href);
  if (url.origin !== asked.origin) return no(head, `the agent redirects to another origin, ${url.origin}`);
  return { is: 'elsewhere', url };
};

const no = ({ status, retryAfterMs }: AnswerHead, detail: string): HeadVerdict => {
  const patience = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { is: 'no', why: { ok: false, failure: 'rejected', status, ...patience, detail } };
};

const mediaTypeOf = (contentType = ''): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();
