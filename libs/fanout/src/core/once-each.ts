/** Makes something once for each object and forgets it with the object: what many readers share is made for the first. */
export const onceEach = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, Value>();
  /** Most readers ask for what the one before them asked for. */
  let latest: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (latest?.key === key) return latest.value;
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    latest = { key, value };
    return value;
  };
};
