import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';

/** Names whose values are secrets; neither the names nor the values have any business in a browser. */
const SECRET_NAMES =
  /^(DATABASE_(?:WORKER_|MIGRATE_)?URL|NEXT_SERVER_ACTIONS_ENCRYPTION_KEY|(INVO|SHAREBOOK)_\w*(SECRET|TOKEN|PASSWORD|KEY)\w*)$/;
const KNOWN_NAMES = [
  'DATABASE_URL',
  'INVO_GAME_SECRET',
  'INVO_WEBHOOK_SECRET',
  'SHAREBOOK_AUTH_SECRET',
  'SHAREBOOK_PAYEE_KEY',
  'SHAREBOOK_METRICS_TOKEN',
  'SHAREBOOK_GAMES_FILE',
  'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY',
];

/** Words that only the server's modules hold and that no minifier changes, each with the module it betrays. */
const SERVER_WORDS = {
  kysely_migration: 'the query builder',
  'SCRAM-SERVER-FIRST-MESSAGE': 'the Postgres driver',
  idle_in_transaction_session_timeout: 'db/kit/open.ts',
  'X-Game-Secret-Key': 'the Invo client',
  'clock_now()': 'a query',
  slice_recipient: 'a query',
  snapshot_recipient: 'a query',
  argon2id: 'passwords',
  'sharebook session cookie': 'the key of session cookies',
};

/** A shorter value is no secret but a word, which a page may hold by chance. */
const SECRET_CHARACTERS_MIN = 8;

/**
 * Looks through everything a build sends to a browser (scripts, styles, source maps, pages made in advance) for secrets and for modules of the server.
 * Returns one sentence for each offence, empty when there is none; a build that is not there is an offence. Values of secrets are never repeated.
 */
export async function checkBundle({
  root = ROOT,
  env = process.env,
}: {
  root?: string;
  env?: NodeJS.Dict<string>;
} = {}): Promise<string[]> {
  const files = [
    ...listFiles(path.join(root, '.next/static'), /./),
    ...listFiles(path.join(root, '.next/server/app'), /\.(html|rsc|body)$/),
    ...listFiles(path.join(root, 'public'), /./),
  ];
  if (!files.some((file) => file.endsWith('.js'))) return ['There is no build to look through: run the build first.'];
  const secrets = listSecrets(root, env);
  const offences: string[] = [];
  for (const file of files) {
    const text = await fs.promises.readFile(file, 'utf8');
    offences.push(...findOffences(text, secrets).map((what) => `${path.relative(root, file)} holds ${what}.`));
  }
  return offences;
}

function findOffences(text: string, secrets: { name: string; value: string }[]): string[] {
  const values = secrets.filter(({ value }) => text.includes(value)).map(({ name }) => `the value of ${name}`);
  const names = KNOWN_NAMES.filter((name) => text.includes(name)).map((name) => `the name ${name}`);
  const words = Object.entries(SERVER_WORDS)
    .filter(([word]) => text.includes(word))
    .map(([word, module]) => `"${word}", which only ${module} has`);
  return [...values, ...names, ...words];
}

function listSecrets(root: string, env: NodeJS.Dict<string>): { name: string; value: string }[] {
  const file = path.join(root, '.data/secrets.json');
  const recorded = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const named = Object.entries(env).filter(([name]) => SECRET_NAMES.test(name));
  return [...named, ...Object.entries(recorded)].flatMap(([name, value]) =>
    value && value.length >= SECRET_CHARACTERS_MIN ? [{ name, value }] : [],
  );
}

function listFiles(folder: string, wanted: RegExp): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
