/** Methods that say who somebody is. */
import { fault, fine, type Members } from '../answers.js';
import { APP, BOT, TEAM, type Person } from '../world.js';
import { textOf, type Method } from './method.js';

const shownPerson = ({ id, name, team, email, deleted = false }: Person): Members => ({
  id,
  team_id: team,
  name,
  deleted,
  is_bot: id === BOT,
  ...(team === TEAM ? {} : { is_stranger: true }),
  profile: { real_name: name, ...(email === undefined ? {} : { email }) },
});

const authTest: Method = {
  tier: 'chatty',
  run: () =>
    fine({
      url: 'https://home.example/',
      team: 'Home',
      user: 'hub',
      team_id: TEAM,
      user_id: BOT,
      bot_id: 'B0HUB',
      app_id: APP,
    }),
};

const info: Method = {
  scope: 'users:read',
  tier: 'four',
  run: ({ world }, args) => {
    const person = world.people.get(textOf(args, 'user') ?? '');
    return person ? fine({ user: shownPerson(person) }) : fault('user_not_found');
  },
};

const lookupByEmail: Method = {
  scope: 'users:read.email',
  tier: 'three',
  run: ({ world }, args) => {
    const email = textOf(args, 'email');
    const person = [...world.people.values()].find(
      (each) => each.email !== undefined && each.email === email,
    );
    return person && person.deleted !== true ? fine({ user: shownPerson(person) }) : fault('users_not_found');
  },
};

export const PEOPLE: Readonly<Record<string, Method>> = {
  'auth.test': authTest,
  'users.info': info,
  'users.lookupByEmail': lookupByEmail,
};
