/** The mail server keeps and refuses as it says, to the client that the world uses. */
import { createTransport } from 'nodemailer';
import { verifies } from '../../spec/verifies.js';
import { FakeSmtp } from './fake-smtp.js';

describe('the fake mail server', () => {
  let server: FakeSmtp;
  beforeEach(async () => {
    server = await FakeSmtp.start();
  });
  afterEach(() => server.stop());

  const send = () =>
    createTransport(server.url).sendMail({
      from: 'a@bank.example',
      to: 'b@bank.example',
      subject: 'Hé',
      text: 'x',
    });

  verifies('BRG-98', 'keeps a letter, and reads it', async () => {
    await send();
    expect(server.letters).toMatchObject([
      { subject: 'Hé', text: 'x\n', envelope: { from: 'a@bank.example', to: ['b@bank.example'] } },
    ]);
  });

  verifies('BRG-98', 'refuses with the code it was told', async () => {
    server.meet({ kind: 'refuse', code: 550 });
    await expect(send()).rejects.toMatchObject({ responseCode: 550 });
    expect(server.letters).toEqual([]);
  });

  verifies('BRG-98', 'keeps a letter whose answer it drops, and none whose connection it cuts', async () => {
    server.meet({ kind: 'drop' }, { kind: 'reset' });
    await expect(send()).rejects.toMatchObject({ message: expect.any(String) });
    expect(server.letters).toHaveLength(1);
    await expect(send()).rejects.toMatchObject({ message: expect.any(String) });
    expect(server.letters).toHaveLength(1);
  });
});
