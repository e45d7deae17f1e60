/** Says at start where nobody will be heard, though tasks are shown there: a button that does nothing explains nothing. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { unmetIn } from '@triptych/assembly';
import { BRIDGES } from '@triptych/assembly/nest';
import { unmetLines, type BridgesFile } from '@triptych/bridges';
import type { Log, Settings } from '@triptych/platform';
import { LOG, SETTINGS } from '@triptych/platform/nest';

@Injectable()
export class Unheard implements OnApplicationBootstrap {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(BRIDGES) private readonly file: BridgesFile,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    for (const line of unmetLines(unmetIn(this.settings, this.file, 'heard')))
      this.log.warn('bridge.not-heard', line);
  }
}
