/** Spans as short as a bar's label: tenths of a second where they matter. */
import { useMemo } from 'react';
import { useSurface } from '../../shared/surface-context.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const useShortTime = (): ((ms: number) => string) => {
  const { formats, language } = useSurface();
  return useMemo(() => {
    const second = language === 'zh' ? ' 秒' : ' s';
    return (ms: number): string => {
      if (ms >= MINUTE) return formats.span(ms);
      const digits = ms < SECOND ? 100 : 10;
      return `${formats.number(Math.round((ms / SECOND) * digits) / digits)}${second}`;
    };
  }, [formats, language]);
};
