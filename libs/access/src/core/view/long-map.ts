/** A map that grows by making a new one: cheap even for a long conversation, and what was read stays what it was. */

/** New entries are copied with every change, old ones only when this many have gathered. */
const MAX_YOUNG = 64;

export interface LongMap<V> {
  readonly old: ReadonlyMap<string, V>;
  readonly young: ReadonlyMap<string, V>;
}

export const emptyLongMap = <V>(): LongMap<V> => ({ old: new Map(), young: new Map() });

export const lookUp = <V>({ old, young }: LongMap<V>, key: string): V | undefined =>
  young.get(key) ?? old.get(key);

export const withEntry = <V>(map: LongMap<V>, key: string, value: V): LongMap<V> => {
  if (lookUp(map, key) === value) return map;
  const full = map.young.size >= MAX_YOUNG;
  return {
    old: full ? new Map([...map.old, ...map.young]) : map.old,
    young: new Map(full ? [] : map.young).set(key, value),
  };
};
