import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wakeWorker } from '#db/kit/wake.ts';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { openRefundEnvironment, type RefundEnvironment } from '#e2e/support/refunds/refund-environment.ts';
import { SECRET } from '#e2e/support/test-environment.ts';
import { verifyAudit } from '#lib/audit/chain-audit.ts';
import { readConfig } from '../config.ts';
import type { Window } from '../core/window.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { RestoreGuard } from '../refunds/check-restore.ts';
import { startEngine } from './engine.ts';
import { createHandlers } from './handlers.ts';

let testEnv: RefundEnvironment;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
afterAll(() => testEnv.close());

test('an error in one game is logged with its name and delays no other game', async () => {
  const game = await testEnv.newGame('demo');
  await game.ask(testEnv.people.support);
  const broken: OpenGame = {
    ...game,
    gameId: -1,
    slug: 'broken',
    db: dbOver(testEnv.pool, () => {
      throw new Error('the disk is full');
    }),
  };
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const config = readConfig({ ...env, INVO_GAME_NAME: 'Demo' });
  const [demo] = config.games;
  if (demo === undefined) throw new Error('no game is configured');
  const both = { ...config, games: [{ ...demo, slug: 'broken' }, demo] };
  const logged: Record<string, unknown>[] = [];
  const { refund } = createHandlers(both, {
    open: async ({ slug }) => (slug === 'broken' ? broken : game),
    db: testEnv.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (event, fields) => logged.push({ event, ...fields }),
  });
  await refund.run(-1);
  await refund.run(game.gameId);
  expect((await game.row()).state).toBe('landed');
  expect(logged).toEqual([{ event: 'error', game: 'broken', message: 'the disk is full' }]);
});

test('a job for one game opens that game alone once its id is known', async () => {
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const config = readConfig({ ...env, INVO_GAME_NAME: 'Demo' });
  const games = ['one', 'two', 'three'].flatMap((slug) => config.games.map((game) => ({ ...game, slug })));
  const rows = new Map<string, OpenGame>();
  for (const { slug } of games) rows.set(slug, await testEnv.newGame());
  const opened: string[] = [];
  const { refund } = createHandlers(
    { ...config, games },
    {
      open: async ({ slug }) => {
        opened.push(slug);
        const game = rows.get(slug);
        if (game === undefined) throw new Error(`no game ${slug}`);
        return game;
      },
      db: testEnv.db,
      owner: 'test',
      signal: new AbortController().signal,
      log: () => undefined,
    },
  );
  const two = rows.get('two')?.gameId ?? 0;
  await refund.run(two);
  expect(opened.splice(0)).toEqual(['one', 'two', 'three']);
  await refund.run(two);
  expect(opened).toEqual(['two']);
});

describe('pulls', () => {
  const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-09-02T00:00:00Z' };
  const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
  const request = (game: OpenGame, window: Window) =>
    requestPull(game.db, { gameId: game.gameId, window, isFresh: false, requestedBy: 'test', now: game.now(), settleLag_minutes: 15 });
  const states = async (game: OpenGame): Promise<unknown[]> =>
    (await testEnv.pool.query('select state, attempt_count from pull where game_id = $1 order by pull_id', [game.gameId])).rows;

  test('of several games run side by side, and those of one game one after another', { tags: 'proof' }, async () => {
    const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
    const config = readConfig({ ...env, INVO_GAME_NAME: 'Demo' });
    const [first] = config.games;
    if (first === undefined) throw new Error('no game is configured');
    // Another game of Invo: two games here can't share one.
    const sandbox = {
      slug: `sandbox-of-${first.slug}`,
      environment: 'sandbox',
      baseUrl: `${testEnv.upstream.url}/sandbox`,
      gameSecret: 'upstream-sandbox-secret',
    } as const;
    const games = [first, { ...first, ...sandbox }];
    const [one, two] = [await testEnv.newGame(), await testEnv.game(sandbox)];
    const { pull } = createHandlers(
      { ...config, games },
      {
        open: async ({ slug }) => (slug === first.slug ? one : two),
        db: testEnv.db,
        owner: 'test',
        signal: new AbortController().signal,
        log: () => undefined,
      },
    );
    expect(pull.concurrency).toBeGreaterThan(1);
    await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: SEPTEMBER.start } } }]);
    await request(one, SEPTEMBER);
    const waiting = pull.run(one.gameId);
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    await request(one, OCTOBER);
    await request(two, OCTOBER);
    await pull.run(two.gameId);
    expect(await states(two)).toMatchObject([{ state: 'done' }]);
    await pull.run(one.gameId);
    expect(await states(one)).toMatchObject([{ state: 'running' }, { state: 'queued' }]);
    await testEnv.release();
    await waiting;
    expect(await states(one)).toEqual([
      { state: 'done', attempt_count: 1 },
      { state: 'done', attempt_count: 1 },
    ]);
  });
});

test('readings that two games have without end don’t hold up those of a third', { tags: ['proof'], timeout: 150_000 }, async () => {
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const config = readConfig({ ...env, INVO_GAME_NAME: 'Demo' });
  const games = ['busy', 'busier', 'quiet'].flatMap((slug) => config.games.map((game) => ({ ...game, slug })));
  const rows = new Map<string, OpenGame>();
  for (const { slug } of games) rows.set(slug, await testEnv.newGame());
  const idOf = (slug: string): number => rows.get(slug)?.gameId ?? 0;
  const stopping = new AbortController();
  const logged: unknown[] = [];
  const handlers = createHandlers(
    { ...config, games },
    {
      open: async ({ slug }) => rows.get(slug) ?? Promise.reject(new Error(`no game ${slug}`)),
      db: testEnv.db,
      owner: 'test',
      signal: stopping.signal,
      log: (event, fields) => event === 'error' && logged.push(fields),
    },
  );
  const idle = { concurrency: 1, run: async () => undefined };
  const { demo: _, ...real } = handlers;
  const { pull, refund, actions, rendition, details, statements, balances, notices, tick } = mapValues(real, () => idle);
  // As many at once as there are busy games.
  const deliveries = { ...handlers.deliveries, concurrency: 2 };
  const engine = await startEngine(
    testEnv.url,
    { pull, refund, actions, rendition, details, statements, balances, notices, tick, deliveries },
    { signal: stopping.signal, log: () => undefined },
  );
  // No such period: a reading of one needs no call to Invo, and 400 take as long as an endless number here.
  const open = (slug: string, count: number): Promise<unknown> =>
    testEnv.pool.query(
      `insert into delivery_read (game_id, kind, subject, due_at) select $1, 'period', 'none ' || n, clock_now() from generate_series(1, $2) n`,
      [idOf(slug), count],
    );
  const due = async (slug: string): Promise<number> =>
    (await testEnv.pool.query(`select 1 from delivery_read where game_id = $1 and due_at is not null`, [idOf(slug)])).rowCount ?? 0;
  await Promise.all([open('busy', 400), open('busier', 400)]);
  for (const slug of ['busy', 'busier']) await wakeWorker(testEnv.db, { queue: 'deliveries', gameId: idOf(slug) });
  await expect.poll(async () => Math.max(await due('busy'), await due('busier'))).toBeLessThan(400);
  await open('quiet', 1);
  await wakeWorker(testEnv.db, { queue: 'deliveries', gameId: idOf('quiet') });
  await expect.poll(() => due('quiet'), { timeout: 60_000 }).toBe(0);
  expect([(await due('busy')) > 0, (await due('busier')) > 0]).toEqual([true, true]);
  await expect.poll(async () => (await due('busy')) + (await due('busier')), { timeout: 60_000 }).toBe(0);
  stopping.abort();
  await engine?.stop();
  expect(logged).toEqual([]);
});

/** A record of the same keys with other values. */
function mapValues<Key extends string, From, To>(record: Record<Key, From>, make: (value: From) => To): Record<Key, To> {
  return Object.fromEntries(Object.entries<From>(record).map(([key, value]) => [key, make(value)])) as Record<Key, To>;
}

test('a tick chains what the audit got since the last one', async () => {
  const game = await testEnv.newGame();
  await game.ask(testEnv.people.support);
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const logged: unknown[] = [];
  const { tick } = createHandlers(readConfig({ ...env, INVO_GAME_NAME: 'Demo' }), {
    open: async () => game,
    db: testEnv.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (event) => logged.push(event),
  });
  expect((await verifyAudit(testEnv.db)).unlinked).toBeGreaterThan(0);
  await tick.run(-1);
  expect(await verifyAudit(testEnv.db)).toMatchObject({ unlinked: 0, violations: [] });
  expect(logged).toEqual([]);
});

describe('a restore guard that fails', () => {
  const guard: RestoreGuard = {
    knows: async () => true,
    check: async () => false,
    advance: () => Promise.reject(new Error('the folder can’t be written')),
  };
  const handlersOf = (game: OpenGame, logged: Record<string, unknown>[]): ReturnType<typeof createHandlers> => {
    const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
    // In simulated data every month is due that was never pulled.
    const config = { ...readConfig({ ...env, INVO_GAME_NAME: 'Demo' }), isSimulated: true, hasDemoRefunds: false, readsDetails: false };
    return createHandlers(config, {
      open: async () => game,
      db: testEnv.db,
      owner: 'test',
      signal: new AbortController().signal,
      log: (event, fields) => logged.push({ event, ...fields }),
      restoreGuard: guard,
    });
  };

  test('leaves a refund that was not sent waiting, and not counted as possibly executed', async () => {
    const game = await testEnv.newGame();
    await game.ask(testEnv.people.support);
    const logged: Record<string, unknown>[] = [];
    await handlersOf(game, logged).refund.run(game.gameId);
    expect(await game.row()).toMatchObject({
      state: 'waiting',
      attempt_count: 1,
      unanswered_count: 0,
      last_error_code: 'restore_unchecked',
    });
    expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/refund'))).toEqual([]);
    expect(logged).toEqual([{ event: 'error', game: game.slug, message: 'the folder can’t be written' }]);
  });

  test('is logged, and the pulls that are due are requested', async () => {
    const game = await testEnv.newGame();
    const logged: Record<string, unknown>[] = [];
    await handlersOf(game, logged).tick.run(-1);
    expect(logged).toEqual([{ event: 'error', message: 'the folder can’t be written' }]);
    const { rows } = await testEnv.pool.query(`select 1 from pull where game_id = $1`, [game.gameId]);
    expect(rows.length).toBeGreaterThan(0);
  });
});
