/** Who may have something to decide about a task, of all who are linked. */
import type { TaskView } from '@triptych/protocol';
import type { NamedPerson } from '../../core/people.js';

const DECIDERS: readonly string[] = ['reviewer', 'supervisor'];

/** Their names in Teams; what each of them may in truth is judged when they look. */
export const decidersOf = (
  people: readonly NamedPerson[],
  { groups }: Pick<TaskView, 'groups'>,
): readonly string[] =>
  people
    .filter(({ roles }) => roles.some((role) => DECIDERS.includes(role)))
    .filter((person) => groups.length === 0 || person.groups.some((group) => groups.includes(group)))
    .flatMap(({ linked }) => linked.filter(({ kind }) => kind === 'teams').map(({ id }) => id));
