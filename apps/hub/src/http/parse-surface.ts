/** Reads which surface a caller names, if any. */
import { ok, refuse, SURFACES, type Result, type Surface } from '@triptych/protocol';

export const parseSurface = (raw: unknown): Result<Surface | undefined> => {
  if (raw === undefined) return ok(undefined);
  const surface = SURFACES.find((name) => name === raw);
  return surface
    ? ok(surface)
    : refuse('INVALID_INPUT', {
        message: `surface must be one of ${SURFACES.join(', ')}.`,
        details: { pointer: '/surface' },
      });
};
