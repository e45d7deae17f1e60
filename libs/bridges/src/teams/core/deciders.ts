/** Who may have something to decide about a task, of all who are linked. */
import { isCandidate } from '@triptych/access';
import type { TaskView } from '@triptych/protocol';
import type { NamedPerson } from '../../core/people.js';

const FOR_REVIEWERS = { audience: 'reviewer', approvable: true } as const;

/** Their names in Teams; what each of them may in truth is judged when they look. */
export const decidersOf = (
  people: readonly NamedPerson[],
  { groups }: Pick<TaskView, 'groups'>,
): readonly string[] =>
  people
    .filter((person) => isCandidate(person, { ...FOR_REVIEWERS, tenant: person.tenant, groups }))
    .flatMap(({ linked }) => linked.filter(({ kind }) => kind === 'teams').map(({ id }) => id));
