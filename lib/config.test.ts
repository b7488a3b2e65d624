import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, findGameConfig, RESERVED_SLUGS, readConfig } from './config.ts';

const SECRETS = {
  INVO_GAME_SECRET: 'sk-game-canary',
  INVO_GAME_SECRET_PREVIOUS: 'sk-previous-canary',
  INVO_WEBHOOK_SECRET: 'wh-canary',
  INVO_WEBHOOK_SECRET_PREVIOUS: 'wh-previous-canary',
};
const ONE_GAME = {
  DATABASE_URL: 'postgres://user:db-canary@db/sharebook',
  INVO_GAME: 'aurora',
  INVO_BASE_URL: 'https://api.invo.example',
  ...SECRETS,
};
const GAME = { slug: 'aurora', name: 'Aurora', environment: 'production', baseUrl: ONE_GAME.INVO_BASE_URL, gameSecret: 'sk-game-canary' };

const demoOf = (settings: NodeJS.Dict<string>): boolean[] =>
  [readConfig({ DATABASE_URL: 'postgres://db', ...settings })].flatMap(({ hasDemoRefunds, hasDemoYear }) => [hasDemoRefunds, hasDemoYear]);

describe('a valid configuration', () => {
  test('a game from environment variables, with defaults for the rest', () => {
    expect(
      readConfig({ DATABASE_URL: 'postgres://db', INVO_GAME: 'aurora', INVO_BASE_URL: 'https://api.invo.example', INVO_GAME_SECRET: 'x' }),
    ).toEqual({
      databaseUrl: 'postgres://db',
      databaseWorkerUrl: 'postgres://db',
      databaseMigrateUrl: 'postgres://db',
      databaseReadUrl: null,
      games: [
        {
          slug: 'aurora',
          name: 'aurora',
          environment: 'production',
          baseUrl: 'https://api.invo.example',
          gameSecret: 'x',
          timeZone: 'UTC',
        },
      ],
      settleLag_minutes: 15,
      isSimulated: false,
      accountWait_hours: 24,
      trustedProxies: 0,
      hasDemoRefunds: false,
      hasDemoYear: false,
      readsDetails: true,
      mail: null,
      fixedNow: null,
      port: 3000,
      webProcesses: 1,
      origin: 'http://127.0.0.1:3000',
      metricsToken: null,
      payeeKey: null,
      payeeKeyPrevious: null,
      isLocal: true,
    });
  });

  test('the key of payment details is 32 bytes, in Base64 or hex, and may be left out', () => {
    const bytes = Buffer.alloc(32, 5);
    for (const text of [bytes.toString('base64'), bytes.toString('hex'), ` ${bytes.toString('base64')} `])
      expect(readConfig({ ...ONE_GAME, SHAREBOOK_PAYEE_KEY: text }).payeeKey).toEqual(bytes);
    expect(readConfig({ ...ONE_GAME, SHAREBOOK_PAYEE_KEY: '' }).payeeKey).toBeNull();
  });

  test('a mail server needs an address to send from, and simulated data uses none', () => {
    const [url, sender] = ['smtps://books:mail-canary@smtp.studio.example', 'Sharebook <books@studio.example>'];
    expect(readConfig({ ...ONE_GAME, SMTP_URL: url, SHAREBOOK_MAIL_FROM: sender }).mail).toEqual({ url, from: sender });
    expect(readConfig({ ...ONE_GAME, SHAREBOOK_MAIL_FROM: sender }).mail).toBeNull();
    expect(readConfig({ DATABASE_URL: 'postgres://db', SHAREBOOK_SIMULATED: '1', SMTP_URL: url }).mail).toBe('outbox');
    for (const [wrong, name] of [
      [{ SMTP_URL: url }, 'SHAREBOOK_MAIL_FROM'],
      [{ SMTP_URL: url, SHAREBOOK_MAIL_FROM: 'Sharebook' }, 'SHAREBOOK_MAIL_FROM'],
      [{ SMTP_URL: url, SHAREBOOK_MAIL_FROM: `Books <books@studio.example>\r\nBcc: all@studio.example` }, 'SHAREBOOK_MAIL_FROM'],
      [{ SMTP_URL: 'https://user:mail-canary@smtp.studio.example', SHAREBOOK_MAIL_FROM: sender }, 'SMTP_URL'],
    ] as const) {
      expect(() => readConfig({ ...ONE_GAME, ...wrong })).toThrow(name);
      expect(() => readConfig({ ...ONE_GAME, ...wrong })).not.toThrow('mail-canary');
    }
  });

  test.each([
    [{}, true],
    [{ HOST: '127.0.0.1', SHAREBOOK_URL: 'http://localhost:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ SHAREBOOK_URL: 'https://sharebook.example' }, false],
  ])('with %j it is used on its own machine alone: %s', (env, isLocal) => {
    expect(readConfig({ ...ONE_GAME, ...env }).isLocal).toBe(isLocal);
  });

  test('a game with every variable set', () => {
    const config = readConfig({
      ...ONE_GAME,
      INVO_GAME_NAME: 'Aurora Online',
      INVO_ENVIRONMENT: 'sandbox',
      INVO_BASE_URL: 'https://api.invo.example/sandbox/',
      INVO_TIME_ZONE: 'Europe/Berlin',
      INVO_GAME_ID: '77',
      PORT: '8080',
      SHAREBOOK_URL: 'https://book.example/',
      SHAREBOOK_SETTLE_LAG_MINUTES: '0',
    });
    expect(config).toMatchObject({ port: 8080, origin: 'https://book.example', settleLag_minutes: 0 });
    expect(config.games[0]).toEqual({
      slug: 'aurora',
      name: 'Aurora Online',
      environment: 'sandbox',
      baseUrl: 'https://api.invo.example/sandbox/',
      gameSecret: 'sk-game-canary',
      gameSecretPrevious: 'sk-previous-canary',
      webhookSecret: 'wh-canary',
      webhookSecretPrevious: 'wh-previous-canary',
      timeZone: 'Europe/Berlin',
      gameId: '77',
    });
  });

  test('without a game is not an error', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db' }).games).toEqual([]);
  });

  test('several games from a file, found by slug', () => {
    const config = readGames([
      GAME,
      { ...GAME, slug: 'aurora-test', environment: 'sandbox', baseUrl: 'https://api.invo.example/sandbox', timeZone: 'Asia/Tokyo' },
    ]);
    expect(config.games.map((game) => [game.slug, game.environment, game.timeZone])).toEqual([
      ['aurora', 'production', 'UTC'],
      ['aurora-test', 'sandbox', 'Asia/Tokyo'],
    ]);
    expect(findGameConfig(config, 'aurora-test')?.timeZone).toBe('Asia/Tokyo');
    expect(findGameConfig(config, 'constructor')).toBeNull();
  });

  test('logins of its own for the worker and for migrations, or the one of the pages', () => {
    const given = { DATABASE_URL: 'postgres://web@db/book', DATABASE_WORKER_URL: 'postgres://worker@db/book' };
    expect(readConfig(given)).toMatchObject({
      databaseWorkerUrl: 'postgres://worker@db/book',
      databaseMigrateUrl: 'postgres://web@db/book',
    });
    expect(readConfig({ ...given, DATABASE_MIGRATE_URL: 'postgres://m@db/book' }).databaseMigrateUrl).toBe('postgres://m@db/book');
  });

  test('a read replica beside the database', () => {
    const given = { DATABASE_URL: 'postgres://db', DATABASE_READ_URL: 'postgresql://reader@replica:5433/sharebook' };
    expect(readConfig(given).databaseReadUrl).toBe('postgresql://reader@replica:5433/sharebook');
    expect(readConfig({ ...given, DATABASE_READ_URL: '' }).databaseReadUrl).toBeNull();
  });

  test('the demo’s refunds are requested and its months closed in simulated data, unless that is switched off', () => {
    expect(demoOf({ SHAREBOOK_SIMULATED: '1' })).toEqual([true, true]);
    expect(demoOf({ SHAREBOOK_SIMULATED: '1', SHAREBOOK_DEMO_REFUNDS: 'off', SHAREBOOK_DEMO_YEAR: 'off' })).toEqual([false, false]);
    expect(demoOf({ SHAREBOOK_DEMO_REFUNDS: 'on', SHAREBOOK_DEMO_YEAR: 'on' })).toEqual([false, false]);
  });

  test('a fixed clock in simulated and test mode', () => {
    const fixed = { DATABASE_URL: 'postgres://db', SHAREBOOK_NOW: '2026-11-21T12:00:00+01:00' };
    expect(readConfig({ ...fixed, SHAREBOOK_SIMULATED: '1' }).fixedNow).toBe('2026-11-21T11:00:00Z');
    expect(readConfig({ ...fixed, NODE_ENV: 'test' }).fixedNow).toBe('2026-11-21T11:00:00Z');
  });
});

describe('a configuration error has its own sentence and contains no secret', () => {
  test.each<[Record<string, string | undefined>, RegExp]>([
    [{ DATABASE_URL: undefined }, /^DATABASE_URL is not set/],
    [{ DATABASE_WORKER_URL: 'worker-canary:5432' }, /^DATABASE_WORKER_URL must be a postgres:\/\/ address\.$/],
    [{ DATABASE_READ_URL: 'replica-canary:5432' }, /^DATABASE_READ_URL must be a postgres:\/\/ address\.$/],
    [{ INVO_GAME: 'Aurora!' }, /^Game Aurora!: slug must be 1 to 40 of a-z, 0-9 and -\.$/],
    [{ INVO_GAME: 'a'.repeat(41) }, /slug must be/],
    [{ INVO_GAME: 'settings' }, /^Game settings: slug is a name Sharebook uses in its own addresses\.$/],
    [{ INVO_GAME_NAME: 'n'.repeat(81) }, /name is longer than 80 characters/],
    [{ INVO_BASE_URL: undefined }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'http://api.invo.example' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'http://localhost.evil.example' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'http://127.0.0.1.evil.example' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'https://user:url-canary@api.invo.example' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'https://api.invo.example/?key=url-canary' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'ftp://api.invo.example' }, /baseUrl must be an https address/],
    [{ INVO_BASE_URL: 'api.invo.example' }, /baseUrl must be an https address/],
    [{ INVO_GAME_SECRET: '' }, /gameSecret must be 1 to 1,024 visible ASCII characters/],
    [{ INVO_GAME_SECRET: 'sk-canary\n' }, /gameSecret must be 1 to 1,024 visible ASCII characters/],
    [{ INVO_GAME_SECRET: 'sk-canary-é' }, /gameSecret must be 1 to 1,024 visible ASCII characters/],
    [{ INVO_GAME_SECRET_PREVIOUS: 'sk canary' }, /gameSecretPrevious must be 1 to 1,024/],
    [{ INVO_WEBHOOK_SECRET: 'wh canary' }, /webhookSecret must be 1 to 1,024/],
    [{ INVO_WEBHOOK_SECRET: 'secret-canary', INVO_GAME_SECRET: 'secret-canary' }, /signing secret of the game aurora is its game secret/],
    [
      { INVO_WEBHOOK_SECRET: 'wh', INVO_WEBHOOK_SECRET_PREVIOUS: 'secret-canary', INVO_GAME_SECRET: 'secret-canary' },
      /signing secret of the game aurora is its game secret/,
    ],
    [{ INVO_WEBHOOK_SECRET: '', INVO_WEBHOOK_SECRET_PREVIOUS: 'wh' }, /has a previous signing secret and no current one/],
    [{ INVO_WEBHOOK_SECRET_PREVIOUS: 'wh canary' }, /webhookSecretPrevious must be 1 to 1,024/],
    [{ INVO_ENVIRONMENT: 'staging' }, /^Game aurora: environment .*production.*sandbox/],
    [{ INVO_ENVIRONMENT: 'sandbox' }, /^The game aurora is sandbox, but its base address does not carry the \/sandbox prefix\.$/],
    [
      { INVO_BASE_URL: 'https://api.invo.example/sandbox' },
      /^The game aurora is production, but its base address carries the \/sandbox prefix\.$/,
    ],
    [{ SHAREBOOK_SIMULATED: '1' }, /^SHAREBOOK_SIMULATED is set, but the game aurora calls api\.invo\.example\./],
    [{ INVO_TIME_ZONE: 'Mars/Olympus' }, /timeZone is not a time zone/],
    [{ PORT: '70000' }, /^PORT must be a whole number up to 65535\.$/],
    [{ PORT: '3000x' }, /^PORT must be/],
    [{ PORT: '-1' }, /^PORT must be/],
    [{ SHAREBOOK_WEB_PROCESSES: '65' }, /^SHAREBOOK_WEB_PROCESSES must be a whole number up to 64\.$/],
    [{ SHAREBOOK_WEB_PROCESSES: '0' }, /^SHAREBOOK_WEB_PROCESSES must be at least 1\.$/],
    [{ SHAREBOOK_TRUSTED_PROXIES: '-1' }, /^SHAREBOOK_TRUSTED_PROXIES must be a whole number up to 10\.$/],
    [{ SHAREBOOK_SETTLE_LAG_MINUTES: '1.5' }, /^SHAREBOOK_SETTLE_LAG_MINUTES must be a whole number up to 10080\.$/],
    [{ SHAREBOOK_URL: 'javascript:alert(1)' }, /^SHAREBOOK_URL must be an http or https address\.$/],
    [{ SHAREBOOK_URL: 'book.example' }, /^SHAREBOOK_URL must be/],
    [{ SHAREBOOK_NOW: '2026-11-21' }, /^SHAREBOOK_NOW fixes the clock in simulated and test mode only\.$/],
    [
      { SHAREBOOK_DEMO_REFUNDS: 'no', SHAREBOOK_SIMULATED: '1', INVO_BASE_URL: 'http://127.0.0.1:9' },
      /^SHAREBOOK_DEMO_REFUNDS must be on or off\.$/,
    ],
    [
      { SHAREBOOK_NOW: 'yesterday', SHAREBOOK_SIMULATED: '1', INVO_BASE_URL: 'http://127.0.0.1:9' },
      /^SHAREBOOK_NOW is not an ISO 8601 instant\.$/,
    ],
    [{ SHAREBOOK_PAYEE_KEY: 'key-canary' }, /^SHAREBOOK_PAYEE_KEY must be 32 bytes, in Base64 or hex\.$/],
    [{ SHAREBOOK_PAYEE_KEY: Buffer.alloc(33, 'canary').toString('base64') }, /^SHAREBOOK_PAYEE_KEY must be 32 bytes/],
    [
      { SHAREBOOK_GAMES_FILE: '/nowhere/games.json' },
      /^SHAREBOOK_GAMES_FILE names \/nowhere\/games\.json, which cannot be read as JSON\.$/,
    ],
  ])('%j', (change, sentence) => {
    const message = messageOf(() => readConfig({ ...ONE_GAME, ...change }));
    expect(message).toMatch(sentence);
    expect(message).not.toContain('canary');
  });

  test('two slugs of one game at Invo are refused', () => {
    const twice = [GAME, { ...GAME, slug: 'borealis', baseUrl: `${GAME.baseUrl}/` }];
    const sentence = 'The games aurora and borealis are one game of Invo. Keep one of them.';
    expect(messageOf(() => readGames(twice))).toBe(sentence);
    const another = { ...GAME, slug: 'borealis', gameSecret: 'another' };
    expect(readGames([GAME, another]).games).toHaveLength(2);
    const withId = (gameIds: string[]) => [GAME, another].map((game, index) => ({ ...game, gameId: gameIds[index] }));
    expect(messageOf(() => readGames(withId(['7', '7'])))).toBe(sentence);
    expect(readGames(withId(['7', '8'])).games).toHaveLength(2);
  });

  test('all errors of all games are listed', () => {
    const message = messageOf(() =>
      readGames([
        { ...GAME, slug: 'UP', gameSecret: '' },
        { ...GAME, baseUrl: 'x' },
      ]),
    );
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^Game UP: slug/),
      'Game UP: gameSecret must be 1 to 1,024 visible ASCII characters without spaces.',
      expect.stringMatching(/^Game aurora: baseUrl/),
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ['two games of one slug', [GAME, GAME], /^Two games share the slug aurora\.$/],
    ['a key nobody knows', [{ ...GAME, gameSecert: 'sk-canary' }], /gameSecert/],
    ['a secret that is a number', [{ ...GAME, gameSecret: 4711 }], /gameSecret .*string/],
    ['no list', GAME, /array/],
    ['a list of nothing', [null], /object/],
  ])('a file with %s', (_, games, sentence) => {
    const message = messageOf(() => readGames(games));
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/canary|4711/);
  });
});

test.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://127.9.9.9', 'http://[::1]:4000', 'https://api.invo.example/v1'])(
  '%s may be the base address of a game',
  (INVO_BASE_URL) => {
    expect(readConfig({ ...ONE_GAME, INVO_BASE_URL }).games[0]?.baseUrl).toBe(INVO_BASE_URL);
  },
);

test('a game can’t have the name of a route in app', () => {
  const routes = readdirSync(path.join(import.meta.dirname, '../app'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z0-9-]+$/.test(entry.name))
    .map((entry) => entry.name);
  expect(routes.length).toBeGreaterThan(3);
  expect(routes.filter((route) => !RESERVED_SLUGS.includes(route))).toEqual([]);
});

function readGames(games: unknown): ReturnType<typeof readConfig> {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'sharebook-config-')), 'games.json');
  writeFileSync(file, JSON.stringify(games));
  return readConfig({ DATABASE_URL: 'postgres://db', SHAREBOOK_GAMES_FILE: file });
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
