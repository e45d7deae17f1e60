/** What stands before every request, on a hub of one door that says what reached it. */
import { gzipSync } from 'node:zlib';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseSettings } from '@triptych/platform';
import { verifies } from '../../../../test/spec/verifies.js';
import { guardEveryRequest } from './front-guard.js';

@Controller('v1/bridges')
class EchoController {
  @Post('echo')
  echo(@Body() body: unknown) {
    return { isBytes: Buffer.isBuffer(body), text: Buffer.isBuffer(body) ? body.toString() : '' };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

describe('a signed call', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    const outcome = parseSettings({});
    if (!outcome.ok) throw new Error('The default settings are settings.');
    app = await NestFactory.create<NestExpressApplication>(EchoModule, { logger: false, bodyParser: false });
    guardEveryRequest(app, { gate: { origins: new Set(), dev: false }, settings: outcome.settings });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/v1/bridges/echo`;
  });
  afterAll(() => app.close());

  const send = async (body: string | Buffer<ArrayBuffer>, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(url, { method: 'POST', body, headers });
    return { status: answer.status, told: (await answer.json()) as { text?: string; isBytes?: boolean } };
  };

  verifies('BRG-4', 'reaches its door as it was sent, in whatever format', async () => {
    const bodies = [
      ['application/json', '{ "a" : 1,\n"a":2}'],
      ['application/x-www-form-urlencoded', 'payload=%7B%22a%22%3A+1%7D&b'],
      ['text/plain', 'ä'],
      ['application/json', '[[[['],
    ] as const;
    for (const [type, text] of bodies)
      expect(await send(text, { 'content-type': type })).toEqual({
        status: 201,
        told: { isBytes: true, text },
      });
  });

  verifies('BRG-4', 'is not unpacked, and not taken beyond its bound', async () => {
    const json = { 'content-type': 'application/json' };
    const packed = gzipSync('{}');
    expect((await send(packed, { ...json, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send('x'.repeat(1024 * 1024), json)).status).toBe(201);
    expect((await send('x'.repeat(1024 * 1024 + 1), json)).status).toBe(413);
  });
});
