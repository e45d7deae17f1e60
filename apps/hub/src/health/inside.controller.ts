/** Answers those who run the house: figures for Prometheus, and the HTTP API as an OpenAPI document. */
import { Controller, Get, Header, Inject, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { PublicDoor } from '../identity/caller.js';
import { ApiDoc } from './api-doc.js';
import { HubMetrics } from './hub-metrics.js';
import { InsideGuard } from './inside.guard.js';

@Controller()
@PublicDoor()
@UseGuards(InsideGuard)
export class InsideController {
  constructor(
    @Inject(HubMetrics) private readonly figures: HubMetrics,
    @Inject(ApiDoc) private readonly api: ApiDoc,
  ) {}

  @Get('metrics')
  async metrics(@Res() response: Response): Promise<void> {
    const text = await this.figures.text();
    response.setHeader('content-type', this.figures.contentType);
    response.end(text);
  }

  @Get('docs')
  @Header('cache-control', 'no-cache')
  docs(): object {
    return this.api.document;
  }
}
