import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

// Who may import whom, for dependency-cruiser. On a breach `npm run check` prints the reason below the two files.

/** A group of files: those that ship import what this names and nothing else. Paths are regular expressions from the top of the project. */
interface Group {
  name: string;
  reason: string;
  files: string[];
  except?: string[];
  mayImport: string[];
  mayImportTypes?: string[];
  /** What not even its tests import. */
  neverImports?: string[];
  /** It may import every module of Node. */
  usesNode?: boolean;
}

const TEST = String.raw`\.(test|spec)\.tsx?$|^e2e/upstream/testing/`;
const SHIPPED = ['^(app|db|lib)/', String.raw`^(proxy|instrumentation)\.ts$`];
const CORE = '^lib/core/';
const RULES = '^lib/[a-z-]+/rules/';
const TEXT = String.raw`^lib/[a-z-]+/text\.ts$|^lib/[a-z-]+/[a-z]+-text\.ts$`;
const PURE = [CORE, RULES, TEXT];
const READS = String.raw`^lib/[a-z-]+/reads(/|\.ts$)`;
const WRITES = String.raw`^lib/[a-z-]+/writes(/|\.ts$)`;
// Rules, sentences, queries and verbs of a feature. The other folders of lib are no features.
const FEATURE = '^lib/(?!(core|invo|jobs|cli|start|observability)/)[a-z-]+/';
const INVO = '^lib/invo/';
const CALLS = String.raw`^lib/invo/(?!rules/|text\.ts$)`;
const CONFIG = String.raw`^lib/config\.ts$`;
const OBSERVABILITY = '^lib/observability/';
const OPEN_MAILER = String.raw`^lib/notices/open-mailer\.ts$`;
const DATABASE = String.raw`^db/(kit/|(types|distribution)\.ts$)`;
// Lists and pages of rows: a definition, a request, its cursor and the error of a cursor that fits nothing.
const PAGING = String.raw`^db/kit/((rank-)?list|paging)\.ts$`;
const PARSE_XML = String.raw`^lib/payments/reports/parse-xml\.ts$`;
const PARSE_CSV = String.raw`^lib/core/parse-uploaded-csv\.ts$`;
const PARSE_UPLOAD = String.raw`^lib/balances/rules/parse-addresses\.ts$`;
const PAGES = '^app/(?!(_ui|_server)/)';
const PACKAGES = 'node_modules/';

const GROUPS: Group[] = [
  {
    name: 'core',
    reason: 'Everything imports core, the browser included, so core imports nothing of ours.',
    files: [CORE],
    mayImport: [CORE, 'node_modules/(csv-parse|temporal-polyfill|yazl)/', '^(crypto|stream)$'],
  },
  {
    name: 'rules',
    reason: 'Rules are pure and run in the browser too: they import core, other rules, ibantools, zod and node:crypto.',
    files: [RULES],
    mayImport: [CORE, RULES, 'node_modules/(ibantools|zod)/', '^crypto$'],
  },
  {
    name: 'text',
    reason: 'Sentences are shown in the browser too: text.ts and …-text.ts import core, rules and other sentences.',
    files: [TEXT],
    mayImport: PURE,
  },
  {
    name: 'observability',
    reason: 'Every process writes logs and metrics, so observability knows no feature and no database.',
    files: [OBSERVABILITY],
    mayImport: [OBSERVABILITY, CORE, 'node_modules/prom-client/'],
    usesNode: true,
  },
  {
    name: 'config',
    reason: 'Every process reads the configuration first, so it imports only core and zod.',
    files: [CONFIG],
    mayImport: [CORE, 'node_modules/zod/', '^fs$'],
  },
  {
    name: 'invo',
    reason: 'lib/invo only calls Invo and never meets the database, not even in a test: a call inside a transaction would hold its locks.',
    files: [INVO],
    mayImport: [...PURE, INVO, 'node_modules/zod/'],
    neverImports: ['^db/', READS, WRITES],
    usesNode: true,
  },
  {
    name: 'db',
    reason: 'db is the database itself. It knows no feature and imports nothing of lib but core; not even its tests call Invo.',
    files: ['^db/'],
    mayImport: ['^db/', CORE, 'node_modules/(kysely|pg|pg-copy-streams|pg-cursor)/'],
    neverImports: [CALLS],
    usesNode: true,
  },
  {
    name: 'reads',
    reason: 'Any page may make any read, so a read imports no writes (their types at most), no verb and no call to Invo.',
    files: [READS],
    mayImport: [...PURE, READS, DATABASE, 'node_modules/kysely/'],
    mayImportTypes: [WRITES],
    neverImports: [CALLS],
    usesNode: true,
  },
  {
    name: 'writes',
    reason: 'Queries run inside a transaction, so they import only other queries, rules and the database: no verb and no call to Invo.',
    files: [WRITES],
    mayImport: [...PURE, READS, WRITES, DATABASE, 'node_modules/kysely/'],
    neverImports: [CALLS],
    usesNode: true,
  },
  {
    name: 'verbs',
    reason: 'Pages, commands and jobs start verbs, so a verb imports none of them. It takes the configuration as a parameter.',
    files: [FEATURE],
    except: [RULES, TEXT, READS, WRITES],
    mayImport: [...PURE, FEATURE, INVO, DATABASE, PACKAGES],
    mayImportTypes: [CONFIG],
    usesNode: true,
  },
  {
    name: 'jobs',
    reason: 'A job starts a verb, which calls Invo: jobs import neither Invo nor commands and pages.',
    files: ['^lib/jobs/'],
    mayImport: [...PURE, '^lib/jobs/', FEATURE, CONFIG, OBSERVABILITY, DATABASE, PACKAGES],
    usesNode: true,
  },
  {
    name: 'cli',
    reason: 'A command starts verbs and runs alone: it imports no worker, no page and no metrics.',
    files: ['^lib/cli/'],
    mayImport: [...PURE, '^lib/cli/', FEATURE, INVO, CONFIG, DATABASE, PACKAGES],
    usesNode: true,
  },
  {
    name: 'start',
    reason: 'lib/start starts processes, commands and jobs: it imports neither Invo nor pages.',
    files: ['^lib/start/'],
    mayImport: [...PURE, '^lib/(start|cli|jobs)/', FEATURE, CONFIG, OBSERVABILITY, DATABASE, PACKAGES],
    usesNode: true,
  },
  {
    name: 'ui',
    reason: 'The design system knows no feature: app/_ui imports core, and types of rules and of app/_server.',
    files: ['^app/_ui/'],
    mayImport: ['^app/_ui/', CORE, PACKAGES],
    mayImportTypes: [RULES, '^app/_server/'],
  },
  {
    name: 'server',
    reason: 'app/_server serves every page: it imports no page and no call to Invo.',
    files: ['^app/_server/'],
    mayImport: [...PURE, '^app/_(server|ui)/', FEATURE, '^lib/jobs/', CONFIG, OBSERVABILITY, DATABASE, PACKAGES],
    usesNode: true,
  },
  {
    name: 'app',
    reason: 'A page shows what it reads: it imports no writes, no call to Invo and no database. What changes something is a verb.',
    files: [PAGES, String.raw`^(proxy|instrumentation)\.ts$`],
    mayImport: [...PURE, '^app/', String.raw`^proxy\.ts$`, `${FEATURE}(?!writes[/.])`, CONFIG, OBSERVABILITY, PAGING, PACKAGES],
    mayImportTypes: [INVO, DATABASE],
    usesNode: true,
  },
  {
    name: 'upstream',
    reason: 'The simulated Invo is written from the contract alone: it imports Node and, like its tests, nothing of app, lib and db.',
    files: ['^e2e/upstream/'],
    mayImport: ['^e2e/upstream/'],
    neverImports: ['^(app|lib|db)/'],
    usesNode: true,
  },
];

const OTHER_RULES: IForbiddenRuleType[] = [
  {
    name: 'pages',
    comment:
      'A page only reads, so it starts no verb but read-… (calls Invo), find-… (queries the database) and, in the definition of its list, export-…. Actions and routes start the others.',
    from: { path: PAGES, pathNot: [TEST, String.raw`/(actions|route)\.tsx?$|/[a-z]+-actions\.ts$`] },
    to: {
      path: FEATURE,
      pathNot: [...PURE, READS, WRITES, String.raw`/(read|find|export)-[a-z-]+\.ts$`],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'lib',
    comment: 'lib consists of folders, each with rules for its imports: move the file into the feature it belongs to.',
    from: { path: '^lib/[^/]+$', pathNot: [TEST, CONFIG] },
    to: {},
  },
  {
    name: 'shipped',
    comment: 'What ships imports no test and nothing that only tests need.',
    from: { path: [...SHIPPED, '^e2e/upstream/'], pathNot: TEST },
    to: { path: [TEST, '^e2e/(?!upstream/)'] },
  },
  {
    name: 'simulated',
    comment: 'Sharebook reaches the simulated Invo over HTTP, as it does the real one.',
    from: { path: SHIPPED, pathNot: TEST },
    to: { path: '^e2e/upstream/' },
  },
  {
    name: 'installed',
    comment: '`npm start` installs `dependencies` alone, so what ships imports no package of `devDependencies`.',
    from: { path: [...SHIPPED, '^e2e/upstream/'], pathNot: TEST },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'sql',
    comment: 'Only reads, writes and db contain SQL, so only they import Kysely.',
    from: { path: SHIPPED, pathNot: [TEST, READS, WRITES, '^db/'] },
    to: { path: 'node_modules/kysely/' },
  },
  {
    name: 'driver',
    comment: 'There is one database handle: only db/kit opens connections.',
    from: { path: SHIPPED, pathNot: [TEST, '^db/kit/'] },
    to: { path: 'node_modules/(pg|pg-copy-streams|pg-cursor)/' },
  },
  {
    name: 'job-engine',
    comment: 'Only lib/jobs/engine.ts imports the job engine, so that the web process never loads it.',
    from: { pathNot: String.raw`^lib/jobs/engine(\.int\.test)?\.ts$` },
    to: { path: 'node_modules/pg-boss/' },
  },
  {
    name: 'demo',
    comment: 'lib/demo acts as the demo people do. Only the job that closes their months imports it, so that nothing a real game uses can.',
    from: { path: SHIPPED, pathNot: [TEST, '^lib/(demo/|jobs/run-demo-year)'] },
    to: { path: '^lib/demo/' },
  },
  {
    name: 'mail-client',
    comment: 'Only lib/notices/open-mailer.ts imports the mail client, so that only what sends email loads it.',
    from: { path: SHIPPED, pathNot: [TEST, OPEN_MAILER] },
    to: { path: 'node_modules/nodemailer/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'mailer',
    comment: 'Only the worker, doctor and the email of a password link open the mailer; no page does.',
    from: { path: SHIPPED, pathNot: [TEST, String.raw`^lib/(cli/doctor-command|jobs/worker|people/mail-link)\.ts$`] },
    to: { path: OPEN_MAILER, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'csv-parser',
    comment: 'Only lib/core/parse-uploaded-csv.ts imports csv-parse, so that every uploaded file has the same bounds and errors.',
    from: { pathNot: PARSE_CSV },
    to: { path: 'node_modules/csv-parse/' },
  },
  {
    name: 'xml-parser',
    comment: 'Only lib/payments/reports/parse-xml.ts imports fast-xml-parser, so that every uploaded file has the same bounds and errors.',
    from: { pathNot: PARSE_XML },
    to: { path: 'node_modules/fast-xml-parser/' },
  },
  {
    name: 'uploads',
    comment: 'csv-parse is too large for what a page loads first: rules that parse an upload import it, and a form loads them by import().',
    from: { path: ['^app/', ...PURE], pathNot: [TEST, PARSE_UPLOAD] },
    to: { path: [PARSE_CSV, PARSE_UPLOAD], dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'circle',
    comment: 'Files that import each other, even only types, have to be read and changed together.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'missing',
    comment: 'The imported file or package does not exist.',
    from: {},
    to: { couldNotResolve: true },
  },
];

/** The rules of a group: what it imports, what it imports as more than a type, and what not even its tests import. */
function rulesOf(group: Group): IForbiddenRuleType[] {
  const { mayImport, mayImportTypes = [], neverImports = [] } = group;
  const rule = { name: group.name, comment: group.reason };
  const importer = { path: group.files, pathNot: [TEST, ...(group.except ?? [])] };
  // Imports of tests, of e2e and of what does not exist have rules of their own.
  const rest = [TEST, '^e2e/', ...neverImports];
  const builtIn = group.usesNode ? { dependencyTypesNot: ['core' as const] } : {};
  return [
    { ...rule, from: importer, to: { pathNot: [...mayImport, ...mayImportTypes, ...rest], couldNotResolve: false, ...builtIn } },
    ...(mayImportTypes.length > 0
      ? [{ ...rule, from: importer, to: { path: mayImportTypes, pathNot: mayImport, dependencyTypesNot: ['type-only' as const] } }]
      : []),
    ...(neverImports.length > 0 ? [{ ...rule, from: { path: group.files }, to: { path: neverImports } }] : []),
  ];
}

const config: IConfiguration = {
  forbidden: [...GROUPS.flatMap(rulesOf), ...OTHER_RULES].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['node', 'import', 'types', 'default'], exportsFields: ['exports'] },
  },
};

export default config;
