/** Measures this instance for Prometheus: the process, who is connected and reads, what was answered, whether the store is there. */
import { Inject, Injectable } from '@nestjs/common';
import type { Rooms } from '@triptych/fanout';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { ROOMS } from '../rooms/rooms.providers.js';
import { OpenSockets } from './open-sockets.js';
import { Readiness } from './readiness.js';

interface Measure {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** The label's values, each with what is counted for it. */
  readonly read: () => Readonly<Record<string, number>>;
}

/** A surface that nobody reads is told as well. */
const NOBODY: Readonly<Record<string, number>> = { customer: 0, reviewer: 0, operator: 0 };

@Injectable()
export class HubMetrics {
  private readonly registry = new Registry();
  private readonly responses = new Counter({
    name: 'triptych_http_responses_total',
    help: 'HTTP responses by method and status.',
    labelNames: ['method', 'status'],
    registers: [this.registry],
  });

  constructor(
    @Inject(OpenSockets) private readonly sockets: OpenSockets,
    @Inject(ROOMS) private readonly rooms: Rooms,
    @Inject(Readiness) private readonly readiness: Readiness,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const measure of this.measures()) this.gauge(measure);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Stands before every HTTP request. */
  readonly count = ({ method }: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => this.responses.inc({ method, status: response.statusCode }));
    next();
  };

  private measures(): readonly Measure[] {
    return [
      {
        ...{ name: 'triptych_sockets', help: 'Open sockets by door.', label: 'door' },
        read: () => this.sockets.byDoor(),
      },
      {
        ...{ name: 'triptych_readers', help: 'Readers of threads by surface.', label: 'surface' },
        read: () => this.readers(),
      },
      {
        ...{ name: 'triptych_ready', help: 'Whether what the instance needs is there.', label: 'part' },
        read: () => {
          const { store, feed } = this.readiness.parts();
          return { store: Number(store), feed: Number(feed) };
        },
      },
    ];
  }

  private readers(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = { ...NOBODY };
    for (const { surface, readers } of this.rooms.heads()) counts[surface] = (counts[surface] ?? 0) + readers;
    return counts;
  }

  private gauge({ name, help, label, read }: Measure): void {
    const gauge = new Gauge({
      ...{ name, help, labelNames: [label], registers: [this.registry] },
      collect: () => {
        for (const [value, count] of Object.entries(read())) gauge.set({ [label]: value }, count);
      },
    });
  }
}
