/** Tells anybody the public keys that decisions and checkpoints are verified with. */
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { SIGNING_KEY } from '@triptych/assembly/nest';
import type { PublicKey, SigningKey } from '@triptych/platform';
import { PublicDoor } from './caller.js';

@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(@Inject(SIGNING_KEY) private readonly key: SigningKey) {}

  @Get()
  @PublicDoor()
  @Header('cache-control', 'public, max-age=300')
  async keys(): Promise<{ readonly keys: readonly PublicKey[] }> {
    return { keys: await this.key.published() };
  }
}
