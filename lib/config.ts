import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { BASE_URL_RULE, ENVIRONMENTS, isLoopback, isSecret, parseBaseUrl, SECRET_RULE } from './core/game.ts';
import { parseInstant } from './core/instant.ts';
import { isTimeZone } from './core/month.ts';

/** One game in one environment, as the operator configured it. Secrets stay in this value and in the Invo client. */
export type GameConfig = z.infer<typeof gameSchema>;

/** A mail server with its secrets, and who emails come from. */
interface MailConfig {
  url: string;
  from: string;
}

export interface Config {
  databaseUrl: string;
  /** Of workers and commands, and of migrations; without logins of their own that of the pages. */
  databaseWorkerUrl: string;
  databaseMigrateUrl: string;
  /** A read replica of the database, for complete months; null: none. */
  databaseReadUrl: string | null;
  games: GameConfig[];
  settleLag_minutes: number;
  /** Simulated data: the demo people may sign in with one click and every page says so. */
  isSimulated: boolean;
  /** Hours until a new account, right or password link counts for approvals, and a higher limit applies by itself; none in simulated data. */
  accountWait_hours: number;
  /** How many servers in front of Sharebook add to `x-forwarded-for`; whatever else it says is made up. */
  trustedProxies: number;
  /** Whether the demo's refunds are requested; in simulated data only. */
  hasDemoRefunds: boolean;
  /** Whether the demo people close and pay the demo's earlier months; in simulated data only. */
  hasDemoYear: boolean;
  /** Whether the detail reports of complete months are read by themselves; a person can always ask for them. */
  readsDetails: boolean;
  /** The mail server for notices; `outbox`: emails are shown and sent to no server, in simulated data; null: none, notices are shown only. */
  mail: MailConfig | 'outbox' | null;
  /** A fixed clock, in simulated and test mode only; null: the clock of the machine. */
  fixedNow: string | null;
  port: number;
  /** How many web processes answer on the port. */
  webProcesses: number;
  /** Public origin, without a trailing slash. */
  origin: string;
  /** The bearer token /metrics requires; null: none. */
  metricsToken: string | null;
  /** Whether Sharebook listens on this machine alone and is addressed on it alone: /metrics needs no token then. */
  isLocal: boolean;
  /** The 32 bytes that payment details are sealed under; null: none can be entered or opened. */
  payeeKey: Uint8Array | null;
  /** The key before, which `reseal` opens payment details with; null: none is set. */
  payeeKeyPrevious: Uint8Array | null;
}

/** A person notices within a day that someone else set their password, or that an account was added. */
const ACCOUNT_WAIT_HOURS = 24;

/** What is wrong with the configuration, one sentence a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Names that addresses use themselves, so no game may have them. */
export const RESERVED_SLUGS = [
  'api',
  'settings',
  'audit',
  'sign-in',
  'set-up',
  'healthz',
  'readyz',
  'metrics',
  'notices',
  '_next',
  'favicon',
];

/**
 * Reads the environment into one validated value (product page, configuration).
 * Errors: `ConfigError` naming each variable that is wrong and what it should be; never a secret.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const isSimulated = env.SHAREBOOK_SIMULATED === '1';
  const port = wholeNumber(env, 'PORT', 3000, 65_535);
  const origin = readOrigin(env.SHAREBOOK_URL ?? `http://127.0.0.1:${port}`);
  const databaseUrl = env.DATABASE_URL ?? fail('DATABASE_URL is not set; `npm start` sets it when it brings its own Postgres.');
  return {
    databaseUrl,
    databaseWorkerUrl: readDatabaseUrl(env, 'DATABASE_WORKER_URL') ?? databaseUrl,
    databaseMigrateUrl: readDatabaseUrl(env, 'DATABASE_MIGRATE_URL') ?? databaseUrl,
    databaseReadUrl: readDatabaseUrl(env, 'DATABASE_READ_URL'),
    games: readGames(env),
    settleLag_minutes: wholeNumber(env, 'SHAREBOOK_SETTLE_LAG_MINUTES', 15, 7 * 24 * 60),
    isSimulated,
    accountWait_hours: isSimulated ? 0 : ACCOUNT_WAIT_HOURS,
    trustedProxies: wholeNumber(env, 'SHAREBOOK_TRUSTED_PROXIES', 0, 10),
    hasDemoRefunds: isSimulated && isOn(env, 'SHAREBOOK_DEMO_REFUNDS'),
    hasDemoYear: isSimulated && isOn(env, 'SHAREBOOK_DEMO_YEAR'),
    readsDetails: isOn(env, 'SHAREBOOK_DETAIL_REPORTS'),
    mail: isSimulated ? 'outbox' : readMail(env),
    fixedNow: readFixedNow(env, isSimulated),
    port,
    webProcesses: readWebProcesses(env),
    origin,
    metricsToken: env.SHAREBOOK_METRICS_TOKEN || null,
    isLocal: [env.HOST || '127.0.0.1', new URL(origin).hostname].every(isLoopback),
    payeeKey: readKey(env, 'SHAREBOOK_PAYEE_KEY'),
    payeeKeyPrevious: readKey(env, 'SHAREBOOK_PAYEE_KEY_PREVIOUS'),
  };
}

/** The game of that slug; null when none is configured. */
export function findGameConfig(config: Config, slug: string): GameConfig | null {
  return config.games.find((game) => game.slug === slug) ?? null;
}

/** The clock of a configuration: fixed in simulated and test mode, else the machine's; an instant in UTC. */
export function clockOf({ fixedNow }: Pick<Config, 'fixedNow'>): () => string {
  return () => fixedNow ?? new Date().toISOString();
}

const secret = z.string().refine(isSecret, SECRET_RULE);
const gameSchema = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -')
    .refine((slug) => !RESERVED_SLUGS.includes(slug), 'is a name Sharebook uses in its own addresses'),
  name: z.string().min(1, 'is empty').max(80, 'is longer than 80 characters'),
  environment: z.enum(ENVIRONMENTS),
  baseUrl: z.string().refine((text) => parseBaseUrl(text) !== null, BASE_URL_RULE),
  gameSecret: secret,
  gameSecretPrevious: secret.optional(),
  webhookSecret: secret.optional(),
  webhookSecretPrevious: secret.optional(),
  timeZone: z.string().refine(isTimeZone, 'is not a time zone this machine knows').default('UTC'),
  gameId: z.string().min(1).optional(),
});

function readGames(env: Record<string, string | undefined>): GameConfig[] {
  const raw = env.SHAREBOOK_GAMES_FILE ? readGamesFile(env.SHAREBOOK_GAMES_FILE) : env.INVO_GAME ? [oneGame(env)] : [];
  const parsed = z.array(gameSchema).safeParse(raw);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${formatPath(issue.path, raw)} ${issue.message}.`).join('\n'));
  for (const [position, game] of parsed.data.entries()) {
    if (parsed.data.findIndex((other) => other.slug === game.slug) !== position) fail(`Two games share the slug ${game.slug}.`);
    const twin = parsed.data.find((other, index) => index < position && isSameGame(other, game));
    if (twin) fail(`The games ${twin.slug} and ${game.slug} are one game of Invo. Keep one of them.`);
    if (env.SHAREBOOK_SIMULATED === '1' && !isLoopback(new URL(game.baseUrl).hostname))
      fail(
        `SHAREBOOK_SIMULATED is set, but the game ${game.slug} calls ${new URL(game.baseUrl).host}. Simulated data come from this machine alone.`,
      );
    // One leaks into every request and one signs what comes back: who knew one would be able to forge the other.
    if (
      [game.webhookSecret, game.webhookSecretPrevious].some(
        (signing) => signing !== undefined && [game.gameSecret, game.gameSecretPrevious].includes(signing),
      )
    )
      fail(
        `The signing secret of the game ${game.slug} is its game secret. Invo's console shows the signing secret of a webhook on its own.`,
      );
    if (game.webhookSecret === undefined && game.webhookSecretPrevious !== undefined)
      fail(`The game ${game.slug} has a previous signing secret and no current one. Set the current one.`);
    const hasPrefix = /(^|\/)sandbox(\/|$)/.test(new URL(game.baseUrl).pathname);
    if (hasPrefix !== (game.environment === 'sandbox')) {
      fail(
        `The game ${game.slug} is ${game.environment}, but its base address ${hasPrefix ? 'carries' : 'does not carry'} the /sandbox prefix.`,
      );
    }
  }
  return parsed.data;
}

/** Whether two configured games are one game of Invo: two refunds of one period could then be open at once. */
function isSameGame(one: GameConfig, other: GameConfig): boolean {
  const isSameId = one.gameId !== undefined && one.gameId === other.gameId && one.environment === other.environment;
  return isSameId || (parseBaseUrl(one.baseUrl)?.href === parseBaseUrl(other.baseUrl)?.href && one.gameSecret === other.gameSecret);
}

function oneGame(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return {
    slug: env.INVO_GAME,
    name: env.INVO_GAME_NAME || env.INVO_GAME,
    environment: env.INVO_ENVIRONMENT || 'production',
    baseUrl: env.INVO_BASE_URL ?? '',
    gameSecret: env.INVO_GAME_SECRET ?? '',
    gameSecretPrevious: env.INVO_GAME_SECRET_PREVIOUS || undefined,
    webhookSecret: env.INVO_WEBHOOK_SECRET || undefined,
    webhookSecretPrevious: env.INVO_WEBHOOK_SECRET_PREVIOUS || undefined,
    timeZone: env.INVO_TIME_ZONE || undefined,
    gameId: env.INVO_GAME_ID || undefined,
  };
}

function readGamesFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return fail(`SHAREBOOK_GAMES_FILE names ${file}, which cannot be read as JSON.`);
  }
}

function formatPath(path: PropertyKey[], raw: unknown): string {
  const slug = Array.isArray(raw) && typeof path[0] === 'number' ? (raw[path[0]] as { slug?: string } | undefined)?.slug : undefined;
  return `Game ${slug ?? String(path[0] ?? '')}: ${path.slice(1).map(String).join('.')}`;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.origin : fail('SHAREBOOK_URL must be an http or https address.');
}

function readDatabaseUrl(env: Record<string, string | undefined>, name: string): string | null {
  const text = env[name];
  if (!text) return null;
  return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : fail(`${name} must be a postgres:// address.`);
}

/** A key of 32 bytes, in Base64 or hex. */
function readKey(env: Record<string, string | undefined>, name: string): Uint8Array | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  const isWhole = /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(text);
  return isWhole && key.length === 32 ? key : fail(`${name} must be 32 bytes, in Base64 or hex.`);
}

function readMail(env: Record<string, string | undefined>): MailConfig | null {
  const [url, sender] = [env.SMTP_URL, env.SHAREBOOK_MAIL_FROM];
  if (!url) return null;
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? '')) return fail('SMTP_URL must be an smtp:// or smtps:// address.');
  if (!sender || !/^[^<>@\r\n]*(<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(sender))
    return fail('SHAREBOOK_MAIL_FROM must be an email address, or a name with the address in angle brackets, when SMTP_URL is set.');
  return { url, from: sender };
}

function readFixedNow(env: Record<string, string | undefined>, isSimulated: boolean): string | null {
  if (!env.SHAREBOOK_NOW) return null;
  if (!isSimulated && env.NODE_ENV !== 'test') fail('SHAREBOOK_NOW fixes the clock in simulated and test mode only.');
  return parseInstant(env.SHAREBOOK_NOW) ?? fail('SHAREBOOK_NOW is not an ISO 8601 instant.');
}

/** A setting that is on unless it is off. */
function isOn(env: Record<string, string | undefined>, name: string): boolean {
  const given = env[name] || 'on';
  return given === 'on' || (given !== 'off' && fail(`${name} must be on or off.`));
}

/** In development each process would compile the pages by itself, so there is one. */
function readWebProcesses(env: Record<string, string | undefined>): number {
  const count = wholeNumber(env, 'SHAREBOOK_WEB_PROCESSES', 1, 64) || fail('SHAREBOOK_WEB_PROCESSES must be at least 1.');
  return env.NODE_ENV === 'development' ? 1 : count;
}

function wholeNumber(env: Record<string, string | undefined>, name: string, fallback: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  return /^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : fail(`${name} must be a whole number up to ${max}.`);
}

function fail(sentence: string): never {
  throw new ConfigError(sentence);
}
