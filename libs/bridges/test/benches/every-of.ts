/** Finds every object in some JSON that has a member of this value, however deep. */
type Members = Readonly<Record<string, unknown>>;

export const everyOf = (json: unknown, member: string, value: unknown): readonly Members[] => {
  if (typeof json !== 'object' || json === null) return [];
  const inner = Object.values(json).flatMap((each) => everyOf(each, member, value));
  return (json as Members)[member] === value ? [json as Members, ...inner] : inner;
};
