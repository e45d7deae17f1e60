/** Tells one life of the store from the next: what it acknowledged last may be lost between them. */
import { storeCall } from '@triptych/platform';
import { isStoreAway } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** Managed servers forbid INFO, and the embedded one has no run id: their lives cannot be told apart. */
const UNTOLD = '';

const lifeOf = (info: string): string => /^run_id:(\w+)/m.exec(info)?.[1] ?? UNTOLD;

export class StoreLife {
  /** Undefined until the connection at hand was asked. */
  known: string | undefined;
  private asked: Promise<string> | undefined;
  private readonly onReady = (): void => void this.current().catch(() => undefined);
  private readonly onClose = (): void => {
    this.known = this.asked = undefined;
  };

  constructor(private readonly redis: Redis) {
    redis.on('ready', this.onReady);
    redis.on('close', this.onClose);
    if (redis.status === 'ready') this.onReady();
  }

  /** Rejects with `StoreAway` while there is no store. Whoever waits is served in the order it came. */
  current(): Promise<string> {
    this.asked ??= this.ask();
    return this.asked;
  }

  close(): void {
    this.redis.off('ready', this.onReady);
    this.redis.off('close', this.onClose);
  }

  private ask(): Promise<string> {
    const asked: Promise<string> = storeCall(this.redis.info('server')).then(
      (info) => this.told(asked, lifeOf(info)),
      (error: unknown) => {
        if (!isStoreAway(error)) return this.told(asked, UNTOLD);
        if (this.asked === asked) this.asked = undefined;
        throw error;
      },
    );
    return asked;
  }

  private told(asked: Promise<string>, life: string): string {
    if (this.asked === asked) this.known = life;
    return life;
  }
}
