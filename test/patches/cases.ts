/** What RFC 6901 and RFC 6902 say of patches, case by case, as the public suite of tests asks it; the values are our own. */

export interface PatchCase {
  readonly what: string;
  readonly before: unknown;
  readonly patch: readonly object[];
  /** The document afterwards; absent: the patch does not apply. */
  readonly after?: unknown;
  /** It is no patch at all: its stream is refused, and it never comes to a state. */
  readonly malformed?: true;
}

const applies = (what: string, before: unknown, patch: readonly object[], after: unknown): PatchCase => ({
  what,
  before,
  patch,
  after,
});
const fails = (what: string, before: unknown, ...patch: readonly object[]): PatchCase => ({
  what,
  before,
  patch,
});
const malformed = (what: string, before: unknown, ...patch: readonly object[]): PatchCase => ({
  what,
  before,
  patch,
  malformed: true,
});
const holds = (what: string, document: unknown, ...patch: readonly object[]): PatchCase =>
  applies(what, document, patch, document);

const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const test = (path: string, value: unknown) => ({ op: 'test', path, value });
const remove = (path: string) => ({ op: 'remove', path });
const move = (from: string, path: string) => ({ op: 'move', from, path });
const copy = (from: string, path: string) => ({ op: 'copy', from, path });

const MEMBERS: readonly PatchCase[] = [
  holds('no steps, an empty document', {}),
  holds('no steps, some document', { iban: 'CH1' }),
  holds('no steps, a list at the root', ['EUR', 'CHF']),
  applies('a member is added', { iban: 'CH1' }, [add('/bic', 'UBS')], { iban: 'CH1', bic: 'UBS' }),
  applies('a member that is there is replaced by add', { limit: null }, [add('/limit', 5)], { limit: 5 }),
  applies('true is a value', { a: 1 }, [add('/b', true)], { a: 1, b: true }),
  applies('false is a value', { a: 1 }, [add('/b', false)], { a: 1, b: false }),
  applies('null is a value', { a: 1 }, [add('/b', null)], { a: 1, b: null }),
  applies('a number as text stays text', {}, [add('/n', '7')], { n: '7' }),
  applies('a list is added', { a: 1 }, [add('/b', [3, 4])], { a: 1, b: [3, 4] }),
  applies('an object in an object is added', { a: 1 }, [add('/b', { c: {} })], { a: 1, b: { c: {} } }),
  applies('digits may name a member', { a: 1 }, [add('/0', 'zero')], { a: 1, '0': 'zero' }),
  applies('the empty name', {}, [add('/', 1)], { '': 1 }),
  applies('the empty name further down', { a: {} }, [add('/a/', 1)], { a: { '': 1 } }),
  applies('what a step carries besides is nothing', { a: 1 }, [{ ...add('/b', 2), note: 9 }], { a: 1, b: 2 }),
  applies('a member is removed', { a: 1, b: [1, 2] }, [remove('/b')], { a: 1 }),
  applies('a null is removed', { a: null }, [remove('/a')], {}),
  applies('a null is replaced', { a: null }, [replace('/a', 'x')], { a: 'x' }),
  applies('a value is replaced by null', { a: 'x' }, [replace('/a', null)], { a: null }),
  applies('a value is replaced by a list', { a: { b: 1 } }, [replace('/a', [1])], { a: [1] }),
  applies('a value is replaced', { a: 1, b: 2 }, [replace('/b', 3)], { a: 1, b: 3 }),
  fails('no parent is made', { q: { b: 2 } }, add('/a/b', 1)),
  fails('no parent is made of nothing', { a: 1 }, add('/b/c', 1)),
  fails('nothing is there to replace', { a: 1 }, replace('/b', 2)),
  fails('nothing is there to remove', { a: 1 }, remove('/b')),
];

const LISTS: readonly PatchCase[] = [
  applies('the first of a list', [], [add('/0', 'CHF')], ['CHF']),
  applies('before all others', ['b'], [add('/0', 'a')], ['a', 'b']),
  applies('between two', ['a', 'c'], [add('/1', 'b')], ['a', 'b', 'c']),
  applies('one past the end', ['a', 'b'], [add('/2', 'c')], ['a', 'b', 'c']),
  applies('- is one past the end', [1, 2], [add('/-', { a: ['b'] })], [1, 2, { a: ['b'] }]),
  applies('- further down', [1, [2, [3]]], [add('/1/1/-', 4)], [1, [2, [3, 4]]]),
  applies('a list into a list is one element', ['a', 'd'], [add('/1', ['b', 'c'])], ['a', ['b', 'c'], 'd']),
  applies('a list for an element is one element', ['a', 'b'], [replace('/1', ['c'])], ['a', ['c']]),
  applies('into an element', { l: [{ a: 1 }] }, [add('/l/0/b', 2)], { l: [{ a: 1, b: 2 }] }),
  applies('out of an element', { l: [{ a: 1 }] }, [remove('/l/0/a')], { l: [{}] }),
  applies('within an element', { l: [{ a: 1 }] }, [replace('/l/0/a', 2)], { l: [{ a: 2 }] }),
  applies('an element is removed', [1, 2, 3], [remove('/0')], [2, 3]),
  applies('each removal closes up', [1, 2, 3, 4], [remove('/1'), remove('/2')], [1, 3]),
  applies('empty text is replaced by 0', [''], [replace('/0', 0)], [0]),
  applies('empty text is replaced by true', [''], [replace('/0', true)], [true]),
  applies('empty text is replaced by false', [''], [replace('/0', false)], [false]),
  applies('empty text is replaced by null', [''], [replace('/0', null)], [null]),
  fails('beyond the end', { l: [1, 2] }, add('/l/8', 5)),
  fails('two past the end', ['a', 'b'], add('/3', 'd')),
  fails('before the beginning', { l: [1, 2] }, add('/l/-1', 5)),
  fails('a name is no index', ['a', 'b'], add('/b', 1)),
  fails('1e0 is no index: add', ['a', 'b'], add('/1e0', 'x')),
  fails('1e0 is no index: remove', [1, 2], remove('/1e0')),
  fails('1e0 is no index: remove further down', { l: [{ a: 1 }] }, remove('/l/1e0/a')),
  fails('1e0 is no index: replace', [''], replace('/1e0', 1)),
  fails('1e0 is no index: test', ['a', 'b'], test('/1e0', 'b')),
  fails('1e0 is no index: copy', { l: [1, 2] }, copy('/l/1e0', '/b')),
  fails('1e0 is no index: move', { l: [1, 2] }, move('/l/1e0', '/b')),
  fails('01 is no index', [1, 2], replace('/01', 1)),
  fails('- names no element: remove', [1, 2], remove('/-')),
  fails('- names no element: replace', [1, 2], replace('/-', 3)),
];

const MOVES: readonly PatchCase[] = [
  holds('to where it is', { a: 1 }, move('/a', '/a')),
  applies('a null moves', { a: null }, [move('/a', '/b')], { b: null }),
  applies('a null is copied', { a: null }, [copy('/a', '/b')], { a: null, b: null }),
  applies('to another name', { a: 1, l: [{}] }, [move('/a', '/b')], { l: [{}], b: 1 }),
  applies('from one object to another', { a: { x: 1, y: 2 }, b: { z: 3 } }, [move('/a/y', '/b/w')], {
    a: { x: 1 },
    b: { z: 3, w: 2 },
  }),
  applies('out of an element to after it', { l: [{ a: 1 }] }, [move('/l/0/a', '/l/1')], { l: [{}, 1] }),
  applies(
    'the place counts after the removal',
    ['a', 'b', 'c', 'd'],
    [move('/1', '/3')],
    ['a', 'c', 'd', 'b'],
  ),
  applies('to the front', ['a', 'b', 'c'], [move('/2', '/0')], ['c', 'a', 'b']),
  applies('an element is copied', { l: [{ a: 1 }] }, [copy('/l/0', '/b')], { l: [{ a: 1 }], b: { a: 1 } }),
  applies('over what is there', { a: 1, b: 2 }, [move('/a', '/b')], { b: 1 }),
  fails('into its own child', { a: { b: {} } }, move('/a', '/a/b/c')),
  fails('what is not there', { a: 1 }, move('/b', '/c')),
  fails('a copy of what is not there', { a: 1 }, copy('/b', '/c')),
  fails('to beyond the end, once it is out', ['a', 'b'], move('/0', '/2')),
];

const TESTS: readonly PatchCase[] = [
  holds('a text and a number', { a: 'x', l: ['p', 2] }, test('/a', 'x'), test('/l/1', 2)),
  holds('null is null', { a: null }, test('/a', null)),
  holds('the order of members is nothing', { a: { x: 1, y: 2 } }, test('/a', { y: 2, x: 1 })),
  holds('nor further down', { a: [{ x: 1, y: 2 }] }, test('/a', [{ y: 2, x: 1 }])),
  holds('a list in an object', { a: { l: [1, 9, 3] } }, test('/a', { l: [1, 9, 3] })),
  holds('the whole document', { a: 1 }, test('', { a: 1 })),
  holds('the empty name', { '': 1 }, test('/', 1)),
  holds('what is no number here', { '1e0': 'x' }, test('/1e0', 'x')),
  holds('what a step carries besides is nothing', { a: 1 }, { ...test('/a', 1), note: 2 }),
  holds('~01 is ~1', { '/': 9, '~1': 10 }, test('/~01', 10)),
  fails('text is no number', { '/': 9, '~1': 10 }, test('/~01', '10')),
  fails('another value', { a: 'x' }, test('/a', 'y')),
  fails('another kind', { a: { l: [1, 2] } }, test('/a', [1, 2])),
  fails('another order of elements', { a: [1, 2] }, test('/a', [2, 1])),
  fails('fewer members', { a: { x: 1, y: 2 } }, test('/a', { x: 1 })),
  fails('null is not what is not there', { a: 1 }, test('/b', null)),
  fails('what went before is undone', { a: 1 }, add('/b', 2), test('/b', 3)),
];

const ODD_NAMES = { 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8, 'é😀': 9 };
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const ROOTS_AND_NAMES: readonly PatchCase[] = [
  ...Object.entries(ODD_NAMES).map(([name, value]) =>
    holds(`the name ${name}`, ODD_NAMES, test(`/${escaped(name)}`, value)),
  ),
  applies('the root is replaced', { a: 1 }, [replace('', { b: 2 })], { b: 2 }),
  applies('the root is replaced by add', { a: 1 }, [add('', { b: 2 })], { b: 2 }),
  applies('the root is text', 'old', [replace('', 'new')], 'new'),
  applies('the root becomes its part', { a: { b: 1 } }, [move('/a', '')], { b: 1 }),
  applies('the root is copied into itself', { a: 1 }, [copy('', '/b')], { a: 1, b: { a: 1 } }),
  applies('an unknown kind of step is passed over', { a: 1 }, [{ op: 'spam', path: '/a' }], { a: 1 }),
];

const MALFORMED: readonly PatchCase[] = [
  malformed('an add without a value', [1], { op: 'add', path: '/-' }),
  malformed('a replace without a value', [1], { op: 'replace', path: '/0' }),
  malformed('a test without a value', [null], { op: 'test', path: '/0' }),
  malformed('a test without a value, of false', [false], { op: 'test', path: '/0' }),
  malformed('a copy from nowhere', [1], { op: 'copy', path: '/-' }),
  malformed('a move from nowhere', { a: 1 }, { op: 'move', path: '' }),
  malformed('a path without its slash', { a: 1 }, add('b', 1)),
  malformed('a path with a bare ~', { a: 1 }, add('/b~', 1)),
  malformed('a path with ~2', { a: 1 }, add('/b~2', 1)),
  malformed('no path', { a: 1 }, { op: 'remove' }),
  malformed('a path that is no text', { a: 1 }, { op: 'remove', path: 0 }),
];

export const PATCH_CASES: readonly PatchCase[] = [
  ...MEMBERS,
  ...LISTS,
  ...MOVES,
  ...TESTS,
  ...ROOTS_AND_NAMES,
  ...MALFORMED,
];
