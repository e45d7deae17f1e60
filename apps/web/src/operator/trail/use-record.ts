/** The record that the address names: one of those listed, else fetched by its number. */
import { useEffect, useState } from 'react';
import { useSurface } from '../../shared/surface-context.js';
import type { AuditItem, AuditRecord } from '../core/audit-record.js';

interface Exported {
  readonly hash: string;
  readonly record?: Omit<AuditRecord, 'hash'> & { readonly about?: object; readonly from?: object };
  readonly opened?: Partial<AuditRecord>;
}

const readLine = (seq: number, line: string): AuditItem | undefined => {
  if (line === '') return undefined;
  const { hash, record, opened } = JSON.parse(line) as Exported;
  if (record === undefined) return { seq, hole: true };
  const { about: _about, from: _from, ...clear } = record;
  return { ...clear, ...opened, hash };
};

export const useRecord = (seq: number | undefined, items: readonly AuditItem[]): AuditItem | undefined => {
  const { api } = useSurface();
  const [fetched, setFetched] = useState<AuditItem | undefined>(undefined);
  const listed = items.find((item) => item.seq === seq);
  const missing = seq !== undefined && listed === undefined;
  useEffect(() => {
    if (!missing) return undefined;
    let wanted = true;
    void api.file(`/v1/audit/export?after=${seq - 1}&upTo=${seq}`).then(async (file) => {
      const line = file.ok ? (await file.value.text()).trimEnd() : '';
      if (wanted) setFetched(readLine(seq, line));
    });
    return () => {
      wanted = false;
    };
  }, [api, seq, missing]);
  return listed ?? (fetched?.seq === seq ? fetched : undefined);
};
