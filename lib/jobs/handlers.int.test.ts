import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { OpenGame } from '../games/open-game.ts';
import { openRefundEnvironment, type RefundEnvironment } from '../refunds/testing/refund-environment.ts';
import { SECRET } from '../testing/test-environment.ts';
import { createHandlers } from './handlers.ts';

let testEnv: RefundEnvironment;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
afterAll(() => testEnv.close());

test('an error in one game is logged with its name and keeps no other game waiting', async () => {
  const game = await testEnv.newGame('demo');
  await game.ask(testEnv.people.support);
  const closed = new pg.Pool({ connectionString: testEnv.url });
  await closed.end();
  const broken: OpenGame = { ...game, gameId: -1, pool: closed, slug: 'broken' };
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const config = readConfig({ ...env, INVO_GAME_NAME: 'Demo' });
  const [demo] = config.games;
  if (demo === undefined) throw new Error('no game is configured');
  const both = { ...config, games: [{ ...demo, slug: 'broken' }, demo] };
  const logged: string[] = [];
  const { refund } = createHandlers(both, {
    open: async ({ slug }) => (slug === 'broken' ? broken : game),
    owner: 'test',
    signal: new AbortController().signal,
    log: (line) => logged.push(line),
  });
  await refund.run(-1);
  await refund.run(game.gameId);
  expect((await game.row()).state).toBe('landed');
  expect(logged).toEqual(['error in broken: Cannot use a pool after calling end on the pool']);
});
