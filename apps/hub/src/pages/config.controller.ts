/** Tells the web surfaces how to sign in. */
import { Controller, Get, Inject } from '@nestjs/common';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import { PublicDoor } from '../identity/caller.js';

@Controller('v1/config')
export class ConfigController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get()
  @PublicDoor()
  config() {
    const { mode, tokenUrl } = this.settings.auth as { mode: string; tokenUrl?: string };
    return { authMode: mode, ...(tokenUrl === undefined ? {} : { authTokenUrl: tokenUrl }) };
  }
}
