import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { OpenGame } from '../games/open-game.ts';
import { openRefundDesk, type RefundDesk } from '../refunds/testing/open-refund-desk.ts';
import { SECRET } from '../testing/test-environment.ts';
import { createHandlers } from './handlers.ts';

let desk: RefundDesk;

beforeAll(async () => {
  desk = await openRefundDesk();
});
afterAll(() => desk.close());

test('an error in one game is logged with its name and keeps no other game waiting', async () => {
  const game = await desk.newGame('demo');
  await game.ask(desk.people.support);
  const closed = new pg.Pool({ connectionString: desk.url });
  await closed.end();
  const broken: OpenGame = { ...game, gameId: -1, pool: closed, slug: 'broken' };
  const env = { DATABASE_URL: desk.url, INVO_GAME: 'demo', INVO_BASE_URL: desk.upstream.url, INVO_GAME_SECRET: SECRET };
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
