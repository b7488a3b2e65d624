import fs from 'node:fs';
import path from 'node:path';
import { ensureDatabase, withConnection } from '#db/kit/administer.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { findDataFolder, type LocalSecrets, storeLocalSecrets } from './data-folder.ts';
import { type DatabaseUrls, startPostgres } from './postgres/embedded-postgres.ts';
import { whenGone } from './postgres/running-server.ts';
import { findSimulatedInvo, publishSimulatedInvo, type SimulatedInvo, startSimulatedInvo } from './simulated-invo.ts';

export type Environment = {
  /** The given environment variables, completed: `DATABASE_URL` and those of its other logins, `INVO_*` in simulated mode, the secrets of this machine. */
  env: NodeJS.ProcessEnv;
  isSimulated: boolean;
  /** What was started here and is stopped by `stop`. */
  started: ('postgres' | 'simulated Invo')[];
  /** Resolves with a sentence when something started here ends by itself. */
  broken: Promise<string>;
  /** Starts the simulated Invo again with its current source files; null when none was started here. */
  restartInvo: (() => Promise<void>) | null;
  stop: () => Promise<void>;
};

export type EnvironmentOptions = {
  needs: 'database' | 'database+invo';
  show: (line: string) => void;
  /** The given database is used as it is, even when no game is configured, and isn't migrated: the command does that, or needs it done. */
  isDatabaseLiteral?: boolean;
  /** This process serves Sharebook: other commands may use its simulated Invo, and no second server may write the same state. */
  isServer?: boolean;
  /** The name of the database for simulated data. */
  simulatedDatabase?: string;
};

const REAL_DATABASE = 'sharebook';
const SIMULATED_DATABASE = 'sharebook_simulated';
const CLOSED_ADDRESS = 'http://127.0.0.1:9';

/**
 * Makes sure there is a migrated database and, where needed, an Invo to call. What the environment variables don't name
 * is started on this machine: PostgreSQL in the data folder, and the simulated Invo when no game is configured.
 */
export async function prepareEnvironment(env: NodeJS.ProcessEnv, options: EnvironmentOptions): Promise<Environment> {
  const dataFolder = findDataFolder(env);
  const isSimulated = !isGameConfigured(env);
  if (!isSimulated) await rejectBadConfiguration(env);
  const secrets = await storeLocalSecrets(dataFolder);
  const [database, invo] = await Promise.allSettled([
    prepareDatabase(env, dataFolder, isSimulated, options),
    isSimulated ? prepareInvo(env, dataFolder, secrets, options) : NOT_NEEDED,
  ]);
  const services = [invo, database].flatMap((part) => (part.status === 'fulfilled' ? part.value.services : []));
  const stop = async (): Promise<void> => {
    for (const service of services.splice(0)) await service.stop();
  };
  try {
    const [{ url: databaseUrls }, { url: invoUrl, restart }] = [valueOf(database), valueOf(invo)];
    if (!options.isDatabaseLiteral) await migrateDatabase(databaseUrls.migrate);
    const completed = completeEnvironment(env, databaseUrls, invoUrl, secrets);
    // `migrate` takes a given database as it is, which can be a real one: nothing of the demo enters it.
    if (isSimulated && !options.isDatabaseLiteral) await addDemoData(databaseUrls.web, completed);
    return {
      env: completed,
      isSimulated,
      started: services.map((service) => service.name),
      broken: Promise.race(services.map((service) => service.broken)),
      restartInvo: restart ?? null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The worker, which requests the demo's refunds, may add neither people nor payment details. */
async function addDemoData(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { readConfig } = await import('../config.ts');
  const { ensureGame } = await import('../games/writes.ts');
  const { ensureDemoDetails } = await import('../payees/ensure-demo-details.ts');
  const { ensureDemoPeople } = await import('../people/manage-people.ts');
  await withConnection(url, async (db) => {
    await ensureDemoPeople(db, { isSimulated: true });
    const { games, payeeKey } = readConfig(env);
    const [demo] = games;
    if (demo !== undefined && payeeKey !== null) await ensureDemoDetails(db, await ensureGame(db, demo), payeeKey, { isSimulated: true });
  });
}

function valueOf<T>(part: PromiseSettledResult<T>): T {
  if (part.status === 'rejected') throw part.reason;
  return part.value;
}

type Service = { name: 'postgres' | 'simulated Invo'; broken: Promise<string>; stop: () => Promise<void> };
type Prepared<Url> = { url: Url; services: Service[]; restart?: () => Promise<void> };

const NOT_NEEDED: Prepared<null> = { url: null, services: [] };

/** Whether a game is configured. Any part of one counts: a typing error must not lead to simulated data. */
export function isGameConfigured(env: NodeJS.ProcessEnv): boolean {
  return ['INVO_GAME', 'INVO_BASE_URL', 'INVO_GAME_SECRET', 'SHAREBOOK_GAMES_FILE'].some((name) => Boolean(env[name]));
}

/** Checks a configured game before anything is started for it. */
async function rejectBadConfiguration(env: NodeJS.ProcessEnv): Promise<void> {
  const { ConfigError, readConfig } = await import('../config.ts');
  const { games } = readConfig({
    ...env,
    DATABASE_URL: env['DATABASE_URL'] ?? 'postgres://to.be.started/',
    SHAREBOOK_SIMULATED: undefined,
  });
  if (games.length === 0)
    throw new ConfigError('A game is configured in part: INVO_GAME (its slug), INVO_BASE_URL and INVO_GAME_SECRET belong together.');
}

async function prepareDatabase(
  env: NodeJS.ProcessEnv,
  dataFolder: string,
  isSimulated: boolean,
  { isDatabaseLiteral, simulatedDatabase = SIMULATED_DATABASE }: EnvironmentOptions,
): Promise<Prepared<DatabaseUrls>> {
  const given = env['DATABASE_URL'];
  if (given && (!isSimulated || isDatabaseLiteral)) return { url: givenDatabase(env, given), services: [] };
  if (given)
    return { url: givenDatabase({ NODE_ENV: env.NODE_ENV }, await simulatedDatabaseBeside(given, simulatedDatabase)), services: [] };
  const flags = (env['SHAREBOOK_POSTGRES_FLAGS'] ?? '').split(',').filter(Boolean);
  const server = await startPostgres({ folder: path.join(dataFolder, 'postgres'), flags });
  const name = isSimulated ? simulatedDatabase : REAL_DATABASE;
  const broken = whenGone(server.dataFolder).then(() => 'The embedded PostgreSQL ended.');
  const url = await server.openDatabase(name).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url, services: [{ name: 'postgres', broken, stop: server.stop }] };
}

/** One login for all, unless the operator gave the others. */
function givenDatabase(env: NodeJS.ProcessEnv, given: string): DatabaseUrls {
  return { web: given, worker: env['DATABASE_WORKER_URL'] || given, migrate: env['DATABASE_MIGRATE_URL'] || given };
}

/** Simulated data is never written to the given database: a separate database on the same server holds it. */
async function simulatedDatabaseBeside(given: string, name: string): Promise<string> {
  const url = new URL(given);
  url.pathname = `/${name}`;
  await ensureDatabase(given, name).catch((cause: unknown) => {
    const what = `No game is configured, and the database ${name} for simulated data couldn't be created on the server of DATABASE_URL.`;
    throw new Error(`${what} Configure a game (INVO_GAME, INVO_BASE_URL, INVO_GAME_SECRET) or unset DATABASE_URL.`, { cause });
  });
  return url.href;
}

async function prepareInvo(
  env: NodeJS.ProcessEnv,
  dataFolder: string,
  secrets: LocalSecrets,
  { needs, show, isServer }: EnvironmentOptions,
): Promise<Prepared<string>> {
  const running = isServer ? null : await findSimulatedInvo(dataFolder);
  if (running) return { url: running.url, services: [] };
  if (needs === 'database') return { url: CLOSED_ADDRESS, services: [] };
  fs.mkdirSync(path.join(dataFolder, 'simulated'), { recursive: true });
  const start = isServer ? publishSimulatedInvo : startSimulatedInvo;
  const { url, ended, restart, stop }: SimulatedInvo = await start({ dataFolder, secrets, env, show });
  return { url, services: [{ name: 'simulated Invo', broken: ended.then(() => 'The simulated Invo ended.'), stop }], restart };
}

function completeEnvironment(
  env: NodeJS.ProcessEnv,
  { web, worker, migrate }: DatabaseUrls,
  simulatedUrl: string | null,
  secrets: LocalSecrets,
): NodeJS.ProcessEnv {
  return {
    ...env,
    DATABASE_URL: web,
    DATABASE_WORKER_URL: worker,
    DATABASE_MIGRATE_URL: migrate,
    SHAREBOOK_DATA: findDataFolder(env),
    SHAREBOOK_AUTH_SECRET: env['SHAREBOOK_AUTH_SECRET'] || secrets.auth,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: env['NEXT_SERVER_ACTIONS_ENCRYPTION_KEY'] || secrets.serverActions,
    // With a DATABASE_URL no key is created: it would be stored on this machine alone, and losing the machine would lose the payment details.
    SHAREBOOK_PAYEE_KEY: env['SHAREBOOK_PAYEE_KEY'] || (env['DATABASE_URL'] && !simulatedUrl ? undefined : secrets.payee),
    ...(simulatedUrl ? simulatedGame(simulatedUrl, secrets) : { SHAREBOOK_SIMULATED: undefined }),
  };
}

function simulatedGame(url: string, secrets: LocalSecrets): NodeJS.Dict<string> {
  return {
    SHAREBOOK_SIMULATED: '1',
    DATABASE_READ_URL: undefined,
    INVO_GAME: 'demo',
    INVO_GAME_NAME: 'Starfall',
    INVO_ENVIRONMENT: 'production',
    INVO_TIME_ZONE: 'UTC',
    INVO_BASE_URL: url,
    INVO_GAME_SECRET: secrets.simulatedGame,
    INVO_WEBHOOK_SECRET: secrets.simulatedWebhook,
  };
}
