/** Holds the table of who may do what to the hub as it is: no door, no frame and nobody is left out of it. */
import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { AGENT_FRAMES, CLIENT_FRAMES } from '@triptych/protocol';
import { HubModule } from '../../apps/hub/src/hub.module.js';
import { verifies } from '../spec/verifies.js';
import { misnamed, openersOf } from './cells.js';
import { EVERYBODY, type Name, namesIn } from './people.js';
import { NOTHING, type Things } from './stage.js';
import { type Row, SURFACES } from './row.js';
import { AGENT_ROWS, OPENINGS, TABLE } from './table/index.js';

const { controllers = [], providers = [] } = HubModule.forRoot({} as never);

const handlersOf = ({ prototype }: Type): readonly object[] =>
  Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name) => (prototype as Record<string, unknown>)[name])
    .filter((member) => typeof member === 'function');

/** As Nest puts a controller's path and a handler's together. */
const routesOf = (controller: Type): readonly string[] => {
  const bases = [Reflect.getMetadata('path', controller) as string | string[]].flat();
  return handlersOf(controller).flatMap((handler) => {
    const path = Reflect.getMetadata('path', handler) as string | undefined;
    if (path === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number];
    return bases.map(
      (base) => `${method} ${['', base, path].join('/').replace(/\/+/gu, '/').replace(/\/$/u, '')}`,
    );
  });
};

const gatewayPaths = (): readonly string[] =>
  (providers as readonly object[]).flatMap((provider) => {
    const options = Reflect.getMetadata('websockets:gateway_options', provider) as
      { path?: string } | undefined;
    return options?.path === undefined ? [] : [options.path];
  });

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

const THINGS: Things = {
  ...{ agent: 'a', thread: 't', run: 'r', interrupt: 'i', task: 'task', batch: 'batch' },
  ...{ rev: 1, hash: 'h' },
};

describe('the table of who may do what', () => {
  verifies('HUB-78', 'has every route, and no other', () => {
    const routes = (controllers as readonly Type[]).flatMap(routesOf);
    expect(routes.length).toBeGreaterThan(20);
    expect(sorted(TABLE.flatMap(({ http }) => http?.door ?? []))).toEqual(sorted(routes));
  });

  verifies('HUB-78', 'has every socket, and no other', () => {
    expect(sorted(OPENINGS.map(({ path }) => path.split('?')[0] ?? ''))).toEqual(sorted(gatewayPaths()));
  });

  for (const surface of SURFACES)
    verifies('HUB-78', `has every frame of the ${surface}’s socket`, () => {
      const rows = TABLE.filter(({ on = SURFACES }) => on.includes(surface));
      const events = rows.flatMap(({ frame }) => frame?.(THINGS, {} as never).event ?? []);
      expect(sorted(events)).toEqual(sorted(CLIENT_FRAMES));
    });

  verifies('HUB-78', 'has every frame of an agent’s socket', () => {
    expect(sorted(AGENT_ROWS.map(({ event }) => event))).toEqual(sorted(AGENT_FRAMES));
  });

  const nobodyForgotten = ({ answers, http, plain, frame, on = SURFACES }: Row): readonly string[] => {
    const all: readonly Name[] =
      http || plain ? EVERYBODY : frame ? [...new Set(on.flatMap(openersOf))] : EVERYBODY;
    return misnamed(answers, all);
  };

  verifies('HUB-78', 'says of everybody how they are answered, once', () => {
    const faults = TABLE.map((row) => ({ row: row.what, faults: nobodyForgotten(row) }));
    expect(faults.filter(({ faults: found }) => found.length > 0)).toEqual([]);
    expect(OPENINGS.flatMap(({ answers }) => misnamed(answers, EVERYBODY))).toEqual([]);
    const agents = namesIn('engine rival mask foreignEngine');
    expect(AGENT_ROWS.flatMap(({ answers }) => misnamed(answers, agents))).toEqual([]);
  });

  verifies('HUB-78', 'names a thing by an id that names nothing, where there is a secret', () => {
    const nothing = NOTHING(THINGS);
    // A run is asked for by an id of its own each time.
    const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu;
    const text = (asked: unknown): string => JSON.stringify(asked).replaceAll(UUID, '');
    const asksOf = ({ http, frame, plain }: Row) =>
      [http?.asked, frame && ((things: Things) => frame(things, {} as never)), plain].filter(
        (ask) => ask !== undefined,
      );
    const same = TABLE.filter(({ names, lists }) => names && !lists).filter((row) =>
      asksOf(row).some((ask) => text(ask(THINGS)) === text(ask(nothing))),
    );
    expect(same.map(({ what }) => what)).toEqual([]);
  });
});
