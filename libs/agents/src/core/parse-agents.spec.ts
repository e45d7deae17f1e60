/** What `agents.yaml` may say, and how it is told that it may not. */
import { parseAgents } from './parse-agents.js';
import type { AgentsProblem } from './parse-agents.js';
import { verifies } from '../../../../test/spec/verifies.js';

const ENV = { AGENT_URL: 'http://127.0.0.1:9000', TOKEN: 'top secret' };

const whole = `
agents:
  - id: onboarding
    name: Private bank onboarding
    connect:
      type: http
      url: "\${AGENT_URL}/onboarding"
      headers: { Authorization: "Bearer \${TOKEN}" }
    timeouts: { connectMs: 1000 }
    resume: { idempotent: true }
    accept: { forwardedProps: ["demo*"], tools: [] }
    roles: [customer, operator]
    capabilities: { humanInTheLoop: { approvals: true } }
`;

const agent = (lines: string): string => `agents:\n  - id: a\n    roles: [customer]\n${lines}`;
const http = agent('    connect: { type: http, url: "http://a.example/" }\n');

const problemsIn = (text: string): readonly AgentsProblem[] => {
  const read = parseAgents(text, ENV);
  return read.ok ? [] : read.problems;
};

describe('parseAgents', () => {
  verifies('AGT-1', 'fills what the file leaves out with the defaults of the contract', () => {
    const read = parseAgents(http, {});
    expect(read).toEqual({
      ok: true,
      agents: [
        {
          id: 'a',
          name: 'a',
          connect: { type: 'http', url: 'http://a.example/', headers: {} },
          timeouts: { connectMs: 10_000, firstEventMs: 30_000, idleMs: 120_000, totalMs: 3_600_000 },
          resume: { idempotent: false, dialect: 'standard' },
          onNoSubscribers: 'continue',
          accept: { forwardedProps: [], tools: [] },
          roles: ['customer'],
        },
      ],
    });
  });

  verifies('AGT-2', 'puts variables into values', () => {
    const read = parseAgents(whole, ENV);
    expect(read.ok && read.agents[0]?.connect).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:9000/onboarding',
      headers: { Authorization: 'Bearer top secret' },
    });
  });

  verifies('AGT-2', 'names every variable that is not set, with its place', () => {
    const read = parseAgents(whole, {});
    expect(read.ok ? [] : read.problems).toEqual([
      { message: 'the variable AGENT_URL is not set', line: 7, column: 12 },
      { message: 'the variable TOKEN is not set', line: 8, column: 33 },
    ]);
  });

  verifies('AGT-2', 'takes the value of a variable as text, never as YAML', () => {
    const read = parseAgents(
      agent('    name: "${NAME}"\n    connect: { type: http, url: "http://a.example/" }\n'),
      {
        NAME: 'x" }\n  - id: evil\n',
      },
    );
    expect(read.ok && read.agents.map((one) => [one.id, one.name])).toEqual([['a', 'x" }\n  - id: evil\n']]);
  });

  verifies('AGT-3', 'gives line, column and path of a bad value', () => {
    const [problem] = problemsIn(`${http}    timeouts: { idleMs: soon }\n`);
    expect(problem).toMatchObject({ line: 5, column: 25, path: 'agents[0].timeouts.idleMs' });
  });

  verifies('AGT-3', 'gives line and column of malformed YAML', () => {
    expect(problemsIn('agents:\n  - id: "a\n')[0]).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
    });
  });

  it.each([
    ['an unknown setting', `${http}    timeout: 5\n`, 'agents[0].timeout', 'is not a setting'],
    ['a doubled key', `${http}    id: b\n`, undefined, 'Map keys must be unique'],
    [
      'no roles',
      'agents:\n  - id: a\n    connect: { type: http, url: "http://a.example/" }\n',
      'agents[0].roles',
      '',
    ],
    ['no agents', 'agents: []\n', 'agents', 'must name an agent'],
    ['an alias of nothing', 'agents: *nope\n', undefined, 'the alias nope names nothing'],
    ['an empty file', '', '', ''],
    ['an id that does not fit a URL', http.replace('id: a', 'id: a/b'), 'agents[0].id', 'must be 1 to 64'],
    ['a timeout of zero', `${http}    timeouts: { idleMs: 0 }\n`, 'agents[0].timeouts.idleMs', ''],
  ])('refuses %s', (_what, text, path, message) => {
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(path);
    expect(problems[0]?.message).toContain(message);
  });

  it('refuses an id used twice', () => {
    const twice = `${http}  - id: a\n    roles: [operator]\n    connect: { type: http, url: "http://b.example/" }\n`;
    expect(problemsIn(twice)).toEqual([
      { message: 'the id a is used twice', path: 'agents[1].id', line: 5, column: 9 },
    ]);
  });

  verifies('AGT-4', 'refuses by name every connection this version cannot make', () => {
    const kinds = [
      '{ type: a2a, card: "https://a.example/card" }',
      '{ type: module, package: p, export: E }',
    ];
    const said = kinds.flatMap((kind) =>
      problemsIn(agent(`    connect: ${kind}\n`)).map(({ message }) => message),
    );
    expect(said).toEqual([
      'connect.type a2a is not supported by this version',
      'connect.type module is not supported by this version',
    ]);
  });

  verifies('AGT-29', 'takes an agent that comes by itself, with the times of any other', () => {
    const read = parseAgents(agent('    connect: { type: push }\n'), {});
    expect(read.ok && read.agents[0]).toMatchObject({
      connect: { type: 'push' },
      timeouts: { connectMs: 10_000, idleMs: 120_000 },
    });
    expect(problemsIn(agent('    connect: { type: push, url: "http://a" }\n'))).toMatchObject([
      { message: 'is not a setting', path: 'agents[0].connect.url' },
    ]);
  });

  verifies('AGT-4', 'refuses a resume dialect this version does not speak', () => {
    expect(problemsIn(`${http}    resume: { dialect: langgraph }\n`)).toEqual([
      {
        message: 'resume.dialect langgraph is not supported by this version',
        path: 'agents[0].resume.dialect',
        line: 5,
        column: 24,
      },
    ]);
  });

  it.each([
    ['another scheme', 'file:///etc/passwd'],
    ['no URL', 'agent'],
    ['a password', 'http://me:pw@a.example/'],
  ])('AGT-5 refuses a URL with %s', (_what, url) => {
    expect(problemsIn(agent(`    connect: { type: http, url: "${url}" }\n`))[0]?.path).toBe(
      'agents[0].connect.url',
    );
  });

  verifies('AGT-5', 'refuses headers that would break or contradict the request', () => {
    const headers = ['"Bad Name": x', '"X-Line": "a\\nb"', 'content-type: text/plain', 'Host: elsewhere'];
    for (const header of headers) {
      const [problem] = problemsIn(
        agent(`    connect: { type: http, url: "http://a.example/", headers: { ${header} } }\n`),
      );
      expect(problem?.path).toMatch(/^agents\[0\]\.connect\.headers\./);
    }
  });

  verifies('AGT-5', 'keeps secrets out of the problems', () => {
    const read = parseAgents(whole.replace('url: "${AGENT_URL}/onboarding"', 'url: "${TOKEN}"'), ENV);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).not.toContain(ENV.TOKEN);
  });
});
