/** What the file must be told of a kind of place. */
import { z } from 'zod';

export interface Needs {
  readonly shown: readonly string[];
  readonly heard: readonly string[];
}

export interface Kind<F extends z.ZodRawShape = z.ZodRawShape, P = z.infer<z.ZodObject<F>>> {
  /** Of a destination, beside those that all have. */
  readonly fields: F;
  /** People act there, and where they did is told by the address alone: no two places may have one. */
  readonly isHeard: boolean;
  /** Whether it can be told there how a run goes on; absent: nowhere. */
  readonly tellsRuns?: (place: P) => boolean;
  /** Without which nothing is shown there, or nobody is heard: variables, and parts of the file. */
  readonly needs?: (place: P) => Needs;
  /** What is wrong with an address that is otherwise well formed. */
  readonly objection?: (place: P) => string | undefined;
}

export const kind = <F extends z.ZodRawShape>(of: Kind<F>): Kind<F> => of;

export const isWebUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
export const webUrl = z.string().refine(isWebUrl, 'must be a URL that starts with http: or https:');
