/** Methods that open and change modals. */
import { fault, faultWith, fine, type Members } from '../answers.js';
import { viewFaults } from '../view-rules.js';
import { APP, BOT, TEAM, type OpenView } from '../world.js';
import { textOf, type Method } from './method.js';

export const shownView = ({ id, hash, view }: OpenView): Members => ({
  ...view,
  id,
  hash,
  team_id: TEAM,
  app_id: APP,
  bot_id: BOT,
  root_view_id: id,
});

const open: Method = {
  tier: 'four',
  run: ({ world, triggers }, args) => {
    const faults = viewFaults(args['view']);
    if (faults.length > 0) return faultWith('invalid_arguments', faults);
    const trigger = triggers.use(args['trigger_id']);
    if ('error' in trigger) return fault(trigger.error);
    const id = world.nextId('V');
    const opened = { id, user: trigger.user, hash: world.nextTs(), view: args['view'] as Members };
    world.views.set(id, opened);
    return fine({ view: shownView(opened) });
  },
};

const update: Method = {
  tier: 'four',
  run: ({ world }, args) => {
    const opened = world.views.get(textOf(args, 'view_id') ?? '');
    if (!opened) return fault('not_found');
    const hash = textOf(args, 'hash');
    if (hash !== undefined && hash !== opened.hash) return fault('hash_conflict');
    const faults = viewFaults(args['view']);
    if (faults.length > 0) return faultWith('invalid_arguments', faults);
    Object.assign(opened, { view: args['view'], hash: world.nextTs() });
    return fine({ view: shownView(opened) });
  },
};

export const VIEWS: Readonly<Record<string, Method>> = { 'views.open': open, 'views.update': update };
