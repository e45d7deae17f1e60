/** The import law of this house: who may lean on whom. Rule names are sentences, so that a failure explains itself. */
const capability = '(event-log|runs|approvals|fanout|agents|audit|bridges)';
/** Tests and contract suites may look further than the code they prove. */
const tests = '\\.spec\\.tsx?$|/src/contract\\.ts$|^libs/testkit/|^libs/[^/]+/test/';
/** The one part of the client that stands on AG-UI's own, which whoever uses it brings along. */
const aguiAgent = '^libs/client/src/agent/';
const ioPackages =
  '(^|node_modules/)(@nestjs/|@slack/web-api|ioredis|bullmq|ws|express|pino|nodemailer|js-redis-server)(/|$)';
const ioModules =
  '^(node:)?(net|tls|dgram|dns|http|https|http2|fs|fs/promises|child_process|cluster|worker_threads|timers|timers/promises)$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'hub-folders-form-no-circle',
      severity: 'error',
      comment: 'A folder of the hub is read without the ones that lean on it.',
      scope: 'folder',
      from: { path: '^apps/hub/src/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'core-does-no-io',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/(core|[^/]+/core)/', pathNot: tests },
      to: { path: [ioPackages, ioModules] },
    },
    {
      name: 'core-looks-only-inward',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/(core|[^/]+/core)/', pathNot: tests },
      to: { path: '^libs/', pathNot: '^libs/($1/src/(core|[^/]+/core)/|protocol/|access/)' },
    },
    {
      name: 'chats-are-strangers',
      severity: 'error',
      comment: 'A further chat is one folder more; what two of them need is the core of the bridges.',
      from: { path: '^libs/bridges/src/(slack|teams|webhook|mail)/', pathNot: tests },
      to: { path: '^libs/bridges/src/(slack|teams|webhook|mail)/', pathNot: '^libs/bridges/src/$1/' },
    },
    {
      name: 'protocol-is-the-floor',
      severity: 'error',
      from: { path: '^libs/protocol/', pathNot: tests },
      to: { path: '^libs/', pathNot: '^libs/protocol/' },
    },
    {
      name: 'access-stands-on-protocol',
      severity: 'error',
      from: { path: '^libs/access/', pathNot: tests },
      to: { path: '^libs/', pathNot: '^libs/(access|protocol)/' },
    },
    {
      name: 'platform-stands-on-protocol',
      severity: 'error',
      from: { path: '^libs/platform/', pathNot: tests },
      to: { path: '^libs/', pathNot: '^libs/(platform|protocol)/' },
    },
    {
      name: 'capabilities-are-strangers',
      severity: 'error',
      from: { path: `^libs/${capability}/`, pathNot: tests },
      to: { path: `^libs/${capability}/`, pathNot: '^libs/$1/' },
    },
    {
      name: 'only-adapters-touch-platform',
      severity: 'error',
      from: {
        path: `^libs/${capability}/`,
        pathNot: [`^libs/${capability}/src/(adapters/|[^/]+/adapters/|nest\\.ts$)`, tests],
      },
      to: { path: '^libs/platform/' },
    },
    {
      name: 'only-apps-use-the-assembly',
      severity: 'error',
      comment: 'It introduces the capabilities to each other; whoever leans on it leans on all of them.',
      from: { path: '^libs/', pathNot: ['^libs/assembly/', tests] },
      to: { path: '^libs/assembly/' },
    },
    {
      name: 'browser-code-speaks-protocol-only',
      severity: 'error',
      from: { path: '^(apps/web|libs/client)/', pathNot: tests },
      to: { path: '^libs/', pathNot: '^libs/(client|protocol)/' },
    },
    {
      name: 'a-guest-stays-off-the-page',
      severity: 'error',
      comment:
        'What is shown on other pages too must not touch their address, choose who is signed in, or know other surfaces.',
      from: { path: '^apps/web/src/(embed|customer)/', pathNot: ['/(customer-page|main)\\.tsx$', tests] },
      to: {
        path: '^apps/web/src/(shared/(url-state|surface-root|use-boot|who-am-i)\\.|(reviewer|operator|demo)/(?!core/))',
      },
    },
    {
      name: 'libs-never-import-apps',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/testkit/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-are-strangers',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'public-doors-only',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/[^/]+/src/', pathNot: '^($1/$2/|libs/[^/]+/src/(index|nest|contract|agent)\\.ts$)' },
    },
    {
      name: 'test-code-stays-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: tests },
      to: { path: '^libs/testkit/|^libs/[^/]+/test/|/src/contract\\.ts$|\\.spec\\.tsx?$|^test/' },
    },
    {
      name: 'agui-enters-by-one-file',
      severity: 'error',
      comment:
        'Types and schemas of AG-UI come through libs/protocol, so that one file knows which version we speak.',
      from: { path: '^libs/', pathNot: ['^libs/protocol/src/core/', aguiAgent, tests] },
      to: { path: '(^|node_modules/)@ag-ui/(client|core)(/|$)' },
    },
    {
      name: 'the-plain-client-stays-plain',
      severity: 'error',
      comment: 'Whoever wants frames and models alone must not be sent the AG-UI client and RxJS.',
      from: { path: '^libs/client/', pathNot: [aguiAgent, '^libs/client/src/agent\\.ts$', tests] },
      to: { path: ['(^|node_modules/)rxjs(/|$)', '^libs/client/src/agent(/|\\.ts$)'] },
    },
    { name: 'no-unknown-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'shipped-code-needs-no-dev-packages',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [tests, '^apps/web/', aguiAgent] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    // The client's own manifest names what its package brings; the house's names what it is built with.
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
