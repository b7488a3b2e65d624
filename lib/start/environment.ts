import fs from 'node:fs';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { findDataFolder } from './data-folder.ts';
import { ensureDatabase, startPostgres } from './postgres/embedded-postgres.ts';
import { whenGone } from './postgres/when-gone.ts';
import { keepLocalSecrets, type LocalSecrets } from './secrets.ts';
import { joinSimulatedInvo, publishSimulatedInvo, startSimulatedInvo } from './simulated-invo.ts';

type GroundNeeds = 'database' | 'database+invo';

export type Ground = {
  /** The environment completed: `DATABASE_URL`, `INVO_*` in simulated mode, secrets of this machine. */
  env: NodeJS.ProcessEnv;
  isSimulated: boolean;
  /** What was started here and will be stopped by `stop`. */
  started: ('postgres' | 'simulated Invo')[];
  /** Resolves with a sentence when something started here is gone. */
  broken: Promise<string>;
  stop: () => Promise<void>;
};

export type GroundOptions = {
  needs: GroundNeeds;
  show: (line: string) => void;
  /** A given database is used as it is, even when no game is configured: for applying migrations. */
  isDatabaseLiteral?: boolean;
  /** Other commands may use the simulated Invo started here. */
  isShared?: boolean;
};

const REAL_DATABASE = 'sharebook';
const SIMULATED_DATABASE = 'sharebook_simulated';
const NOBODY_LISTENS = 'http://127.0.0.1:9';

/**
 * Makes sure there is a migrated database and, where asked for, an Invo to talk to. What the environment does not
 * name is started on this machine: PostgreSQL under the data folder, and the simulated Invo when no game is configured.
 */
export async function prepareGround(env: NodeJS.ProcessEnv, options: GroundOptions): Promise<Ground> {
  const dataFolder = findDataFolder(env);
  const isSimulated = !isGameConfigured(env);
  if (!isSimulated) await refuseBadConfiguration(env);
  const secrets = await keepLocalSecrets(dataFolder);
  const [database, invo] = await Promise.allSettled([
    prepareDatabase(env, dataFolder, isSimulated, options),
    isSimulated ? prepareInvo(env, dataFolder, secrets, options) : NOT_NEEDED,
  ]);
  const pieces = [invo, database].flatMap((part) => (part.status === 'fulfilled' ? part.value.pieces : []));
  const stop = async (): Promise<void> => {
    for (const piece of pieces.splice(0)) await piece.stop();
  };
  try {
    const [{ url: databaseUrl }, { url: invoUrl }] = [valueOf(database), valueOf(invo)];
    await migrateDatabase(databaseUrl);
    return {
      env: completeEnvironment(env, databaseUrl, invoUrl, secrets),
      isSimulated,
      started: pieces.map((piece) => piece.name),
      broken: Promise.race(pieces.map((piece) => piece.broken)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function valueOf<T>(part: PromiseSettledResult<T>): T {
  if (part.status === 'rejected') throw part.reason;
  return part.value;
}

type Piece = { name: 'postgres' | 'simulated Invo'; broken: Promise<string>; stop: () => Promise<void> };
type Prepared<Url> = { url: Url; pieces: Piece[] };

const NOT_NEEDED: Prepared<null> = { url: null, pieces: [] };

/** A game counts as configured as soon as any part of one is given: a slip must not end in simulated data. */
export function isGameConfigured(env: NodeJS.ProcessEnv): boolean {
  return ['INVO_GAME', 'INVO_BASE_URL', 'INVO_GAME_SECRET', 'SHAREBOOK_GAMES_FILE'].some((name) => Boolean(env[name]));
}

/** Says what is wrong with a configured game before anything is started for it. */
async function refuseBadConfiguration(env: NodeJS.ProcessEnv): Promise<void> {
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
  options: GroundOptions,
): Promise<Prepared<string>> {
  const given = env['DATABASE_URL'];
  if (given && (!isSimulated || options.isDatabaseLiteral)) return { url: given, pieces: [] };
  if (given) return { url: await simulatedDatabaseBeside(given), pieces: [] };
  const flags = (env['SHAREBOOK_POSTGRES_FLAGS'] ?? '').split(',').filter(Boolean);
  const server = await startPostgres({ folder: path.join(dataFolder, 'postgres'), flags });
  const name = isSimulated ? SIMULATED_DATABASE : REAL_DATABASE;
  const broken = whenGone(server.dataFolder).then(() => 'The embedded PostgreSQL ended.');
  const piece: Piece = { name: 'postgres', broken, stop: server.stop };
  await ensureDatabase(server, name).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url: server.databaseUrl(name), pieces: [piece] };
}

/** Simulated data never goes into the database that was given: a database of its own on the same server takes it. */
async function simulatedDatabaseBeside(given: string): Promise<string> {
  const url = new URL(given);
  url.pathname = `/${SIMULATED_DATABASE}`;
  await ensureDatabase({ url: given }, SIMULATED_DATABASE).catch((cause: unknown) => {
    const what = `No game is configured, and the database ${SIMULATED_DATABASE} for simulated data could not be made on the server of DATABASE_URL.`;
    throw new Error(`${what} Configure a game (INVO_GAME, INVO_BASE_URL, INVO_GAME_SECRET) or unset DATABASE_URL.`, { cause });
  });
  return url.href;
}

async function prepareInvo(
  env: NodeJS.ProcessEnv,
  dataFolder: string,
  secrets: LocalSecrets,
  options: GroundOptions,
): Promise<Prepared<string>> {
  const joined = await joinSimulatedInvo(dataFolder);
  if (joined && !options.isShared) return { url: joined.url, pieces: [] };
  if (options.needs === 'database') return { url: NOBODY_LISTENS, pieces: [] };
  fs.mkdirSync(path.join(dataFolder, 'simulated'), { recursive: true });
  const invo = await startSimulatedInvo({ dataFolder, secrets, env, show: options.show });
  const note = options.isShared && !joined ? publishSimulatedInvo(dataFolder, invo.url) : null;
  const stop = async (): Promise<void> => {
    note?.withdraw();
    await invo.stop();
  };
  return { url: invo.url, pieces: [{ name: 'simulated Invo', broken: invo.ended.then(() => 'The simulated Invo ended.'), stop }] };
}

function completeEnvironment(
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
  simulatedUrl: string | null,
  secrets: LocalSecrets,
): NodeJS.ProcessEnv {
  return {
    ...env,
    DATABASE_URL: databaseUrl,
    SHAREBOOK_AUTH_SECRET: env['SHAREBOOK_AUTH_SECRET'] || secrets.auth,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: env['NEXT_SERVER_ACTIONS_ENCRYPTION_KEY'] || secrets.serverActions,
    ...(simulatedUrl ? simulatedGame(simulatedUrl, secrets) : { SHAREBOOK_SIMULATED: undefined }),
  };
}

function simulatedGame(url: string, secrets: LocalSecrets): NodeJS.Dict<string> {
  return {
    SHAREBOOK_SIMULATED: '1',
    INVO_GAME: 'demo',
    INVO_GAME_NAME: 'Starfall',
    INVO_ENVIRONMENT: 'production',
    INVO_TIME_ZONE: 'UTC',
    INVO_BASE_URL: url,
    INVO_GAME_SECRET: secrets.simulatedGame,
    INVO_WEBHOOK_SECRET: secrets.simulatedWebhook,
  };
}
