/** The file that names destinations and people: the shipped one, a whole one, and bad ones. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { readBridges } from './bridges-file.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const WHOLE = `
slack: { team: T0123, app: A0123 }
destinations:
  - { id: advisors, kind: slack, address: C0123ABCD }
  - { id: desk, kind: teams, address: "19:abc@thread.tacv2", redact: ["/iban"] }
  - { id: crm, kind: webhook, address: "https://crm.example.com/hooks", secrets: ["\${CRM_SECRET}"] }
  - { id: post, kind: mail, address: desk@example.com, tenant: acme }
routes:
  - { match: { rule: "large-*" }, to: [advisors, desk], deliver: first }
  - { to: [crm] }
people:
  - subject: rita
    name: Rita Reviewer
    roles: [reviewer]
    groups: [advisors]
    linked: [{ kind: slack, id: "T0123:U0456" }, { kind: teams, id: "aad-1" }]
keys:
  - { id: crm, secrets: ["${SECRET}"] }
`;
const PERSON = (subject: string, id: string): string =>
  `  - { subject: ${subject}, roles: [reviewer], linked: [{ kind: slack, id: "${id}" }] }\n`;

describe('bridges.yaml', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bridges-'));
  const file = join(dir, 'bridges.yaml');
  const read = (text: string, env = { CRM_SECRET: SECRET }) => {
    writeFileSync(file, text);
    return readBridges(file, env);
  };
  const whyNot = async (text: string, env?: { CRM_SECRET: string }): Promise<string> => {
    const { ok, ...rest } = await read(text, env);
    expect(ok).toBe(false);
    return 'why' in rest ? rest.why.replaceAll(file, 'f') : '';
  };
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  verifies(
    'BRG-140',
    'has runs told where a route says so, and refuses one that leads to no chat',
    async () => {
      const places = `destinations:
  - { id: chat, kind: slack, address: C0123ABCD }
  - { id: post, kind: mail, address: desk@example.com }
  - { id: flow, kind: teams, mode: workflow, address: "https://flow.example.com" }
routes:
`;
      const fine = await read(`${places}  - { to: [chat, post], progress: true }\n  - { to: [post] }\n`);
      expect(fine).toMatchObject({
        ok: true,
        value: { bridges: { routes: [{ progress: true }, { progress: false }] } },
      });
      const why = await whyNot(`${places}  - { to: [post, flow], progress: true }\n`);
      expect(why).toMatch(/^f:6:\d+ /u);
      expect(why).toContain('leads to no chat in which runs can be told');
    },
  );

  verifies('BRG-1', 'is read whole, with variables in their places', async () => {
    const whole = await read(WHOLE);
    expect(whole).toMatchObject({ ok: true, value: { bridges: { slack: { team: 'T0123', app: 'A0123' } } } });
    const { destinations, routes, keys } = (whole as Extract<typeof whole, { ok: true }>).value.bridges;
    expect([...destinations.keys()]).toEqual(['advisors', 'desk', 'crm', 'post']);
    expect(destinations.get('crm')).toMatchObject({ tenant: 'default', secrets: [SECRET], payload: 'thin' });
    expect(routes).toEqual([
      { match: { rule: 'large-*' }, to: ['advisors', 'desk'], deliver: 'first', progress: false },
      { match: {}, to: ['crm'], deliver: 'all', progress: false },
    ]);
    expect(keys).toMatchObject([{ id: 'crm', rules: ['*'] }]);
  });

  verifies('BRG-1', 'may tell one endpoint twice, and differently: nobody decides there', async () => {
    const place = 'kind: webhook, address: "https://crm.example.com/", secrets: ["${CRM_SECRET}"]';
    expect(
      await read(`destinations:\n  - { id: a, ${place} }\n  - { id: b, payload: full, ${place} }`),
    ).toMatchObject({ ok: true });
  });

  verifies('BRG-1', 'as it is shipped names nothing', async () => {
    const shipped = await readBridges('config/bridges.yaml', {});
    expect(shipped).toMatchObject({ ok: true, value: { bridges: { routes: [], people: [], keys: [] } } });
  });

  const bad: readonly (readonly [what: string, text: string, why: string])[] = [
    ['an unknown key', 'routes:\n  - { too: [a] }', 'f:2:7 routes.0.to'],
    ['an unknown section', 'channels: []', 'f:1:1 channels is not a key of a bridges file'],
    ['an unset variable', 'mail: { from: "${NOBODY}" }', 'f:1:9 mail.from the variable NOBODY is not set'],
    [
      'a kind that is none',
      'destinations:\n  - { id: a, kind: irc }',
      'f:2:14 destinations.0.kind kind must be one of',
    ],
    [
      'a channel by its name',
      'destinations:\n  - { id: a, kind: slack, address: "#x" }',
      'f:2:27 destinations.0.address must be the id',
    ],
    ...(['slack, address: C0123', 'teams, address: "19:a"'] as const).map(
      (place) =>
        [
          `two places at one address: ${place}`,
          `destinations:\n  - { id: a, kind: ${place} }\n  - { id: b, tenant: x, kind: ${place} }`,
          'f:3:38 destinations.1.address is the address of an earlier destination',
        ] as const,
    ),
    [
      'a workflow that is no address',
      'destinations:\n  - { id: a, kind: teams, mode: workflow, address: "19:a" }',
      'f:2:43 destinations.0.address must be the URL of a workflow',
    ],
    ['a weak secret', 'keys: [{ id: a, secrets: [whsec_short] }]', 'f:1:27 keys.0.secrets.0 must be whsec_'],
    ['a route to nowhere', 'routes:\n  - to: [gone]', 'f:2:10 routes.0.to.0 no destination is called "gone"'],
    [
      'a role that decides nothing',
      'people:\n  - { subject: a, roles: [admin], linked: [] }',
      'f:2:27 people.0.roles.0',
    ],
    [
      'two people of one name',
      `people:\n${PERSON('rita', 'T:U')}${PERSON('rob', 'T:U')}`,
      'is linked to an earlier person',
    ],
    [
      'one person in two places',
      `people:\n${PERSON('rita', 'T:U')}${PERSON('rita', 'T:V')}`,
      'f:3:7 people.1.subject is linked already',
    ],
    ['what is no YAML', 'people: [', 'f:1:'],
    ['an alias of nothing', 'people: *nobody', 'f:1:9 The alias nobody names nothing'],
  ];
  for (const [what, text, why] of bad)
    verifies('BRG-1', `is refused for ${what}, and says where`, async () => {
      expect(await whyNot(text)).toContain(why);
    });

  verifies(
    'BRG-2',
    'makes of every linked name its one person, from the time the file was written',
    async () => {
      const whole = await read(WHOLE);
      if (!whole.ok) throw new Error(whole.why);
      const { people } = whole.value;
      const rita = people.find({ kind: 'slack', id: 'T0123:U0456' });
      expect(rita).toBe(people.find({ kind: 'teams', id: 'aad-1' }));
      expect(rita).toMatchObject({
        subject: 'rita',
        tenant: 'default',
        name: 'Rita Reviewer',
        roles: ['reviewer'],
        groups: ['advisors'],
        linkedAt: Math.floor(statSync(file).mtimeMs),
      });
      for (const id of ['T9999:U0456', 'U0456', 'aad-1', ''])
        expect(people.find({ kind: 'slack', id })).toBeUndefined();
      expect(people.those('default', 'teams')).toEqual([rita]);
      expect(people.those('acme', 'teams')).toEqual([]);
    },
  );
});
