/** What a surface may see of a state, found the slow way: every place is held against every pointer. */

/** The pointers of a policy. */
export interface Rules {
  readonly state: readonly string[];
  readonly redact: readonly string[];
}

type Path = readonly string[];

interface Read {
  readonly state: readonly Path[];
  readonly redact: readonly Path[];
}

const INDEX = /^(0|[1-9]\d*)$/;

const segments = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** One leads to the other: they agree as far as both go. */
const agree = (pointer: Path, path: Path): boolean =>
  path.every((key, depth) => depth >= pointer.length || pointer[depth] === '*' || pointer[depth] === key);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const members = (value: object, show: (item: unknown, key: string) => unknown): [string, unknown][] =>
  Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const shown = show(item, key);
    return shown === undefined ? [] : [[key, shown]];
  });

/** `undefined`: hidden. */
const shownAt = (rules: Read, value: unknown, path: Path): unknown => {
  const allowed = rules.state.filter((pointer) => agree(pointer, path));
  if (allowed.length === 0) return undefined;
  if (rules.redact.some((pointer) => pointer.length === path.length && agree(pointer, path)))
    return '[redacted]';
  const whole = allowed.some((pointer) => pointer.length <= path.length);
  if (!isContainer(value)) return whole ? value : undefined;
  const show = (item: unknown, key: string): unknown => shownAt(rules, item, [...path, key]);
  if (!Array.isArray(value)) {
    const shown = members(value, show);
    return whole || shown.length > 0 ? Object.fromEntries(shown) : undefined;
  }
  const next = allowed.map((pointer) => pointer[path.length] ?? '');
  if (!whole && !next.some((segment) => segment === '*' || INDEX.test(segment))) return undefined;
  return value.map((item, index) => {
    const shown = show(item, String(index));
    return shown === undefined ? {} : shown;
  });
};

export const shownByHand = ({ state, redact }: Rules, value: unknown): unknown => {
  const shown = shownAt({ state: state.map(segments), redact: redact.map(segments) }, value, []);
  return shown === undefined ? {} : shown;
};
