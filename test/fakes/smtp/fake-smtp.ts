/** A mail server that takes letters, reads them as a mail program does, and can be told to misbehave. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { startTcpProxy, type TcpProxy } from '../../redis/tcp-proxy.js';

export interface Letter extends Email {
  /** What was said to the server, whatever the head of the letter says. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

/** What happens to the next letter instead of 250. */
export type Fault =
  /** All of it is taken and kept, and then nobody says so. */
  | { readonly kind: 'drop' }
  /** Taken, kept, and never answered. */
  | { readonly kind: 'silence' }
  /** Answered so to its recipient. */
  | { readonly kind: 'refuse'; readonly code: number }
  /** Cut off before any of it is taken. */
  | { readonly kind: 'reset' };

type Done = (error?: Error | null, message?: string) => void;

const answering = (code: number): Error => Object.assign(new Error('Not this one.'), { responseCode: code });

const bytesOf = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

export class FakeSmtp {
  /** All that was kept, in order, doubles too. */
  readonly letters: Letter[] = [];
  private readonly faults: Fault[] = [];
  private fault: Fault | undefined;
  private line: TcpProxy | undefined;

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<FakeSmtp> {
    const server: SMTPServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) => fake.greeted(done),
      onRcptTo: (_address, _session, done) => fake.addressed(done),
      onData: (stream, session, done) => void fake.take(stream, session, done),
    });
    const fake = new FakeSmtp(server);
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    fake.line = await startTcpProxy(`smtp://127.0.0.1:${port}`);
    return fake;
  }

  get url(): string {
    return this.line?.url ?? '';
  }

  /** Of the letters that come next, each one meets the next of these. */
  meet(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  async stop(): Promise<void> {
    await this.line?.stop();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }

  private greeted(done: Done): void {
    this.fault = this.faults.shift();
    if (this.fault?.kind === 'reset') this.line?.cut();
    else done();
  }

  private addressed(done: Done): void {
    if (this.fault?.kind === 'refuse') done(answering(this.fault.code));
    else done();
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    const email = await PostalMime.parse(await bytesOf(stream));
    const { mailFrom, rcptTo } = session.envelope;
    this.letters.push({
      ...email,
      envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
    });
    if (this.fault?.kind === 'drop') this.line?.cut();
    else if (this.fault?.kind !== 'silence') done();
  }
}
