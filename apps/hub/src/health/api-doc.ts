/** Describes the HTTP API in OpenAPI: the doors that there are, and what is said of them. */
import { Inject, Injectable, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { API_WORDS } from './api-words.js';

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Triptych', version: '1' },
  security: [{ bearer: [] }],
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    responses: {
      refused: {
        description: 'A refusal.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['error'],
              properties: {
                error: {
                  type: 'object',
                  required: ['code', 'message', 'next'],
                  properties: {
                    code: { type: 'string' },
                    message: { type: 'string' },
                    next: { enum: ['fix', 'reauth', 'retry', 'resync', 'stop'] },
                    retryAfterMs: { type: 'integer' },
                    details: { type: 'object' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

interface Door {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
}

/** Nest keeps under these what its decorators were given. */
const pathsOf = (of: object): readonly string[] => [Reflect.getMetadata('path', of) ?? ''].flat();
const methodOf = (of: object): string | undefined =>
  RequestMethod[Reflect.getMetadata('method', of) as RequestMethod];

const joined = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`.replaceAll(/:(\w+)/gu, '{$1}');

const described = ({ method, path }: Door): object => {
  const { says: summary, query = [] } = API_WORDS[`${method} ${path}`] ?? {};
  const named = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({ name, in: 'path', required: true }));
  const asked = query.map((name) => ({ name, in: 'query' }));
  return {
    ...(summary === undefined ? {} : { summary }),
    parameters: [...named, ...asked].map((one) => ({ ...one, schema: { type: 'string' } })),
    responses: { '2XX': { description: 'Done.' }, default: { $ref: '#/components/responses/refused' } },
  };
};

@Injectable()
export class ApiDoc {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  get document(): object {
    const paths: Record<string, Record<string, object>> = {};
    for (const door of this.doors())
      paths[door.path] = { ...paths[door.path], [door.method.toLowerCase()]: described(door) };
    return { ...OPENAPI, paths };
  }

  private doors(): readonly Door[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype: Record<string, object> } | null)?.prototype;
      if (!metatype || !prototype) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        const method = handler && methodOf(handler);
        if (!handler || !method) return [];
        return pathsOf(metatype).flatMap((base) =>
          pathsOf(handler).map((path) => ({ method, path: joined(base, path) })),
        );
      });
    });
  }
}
