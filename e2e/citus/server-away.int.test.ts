import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServersOfGames } from '#db/kit/cluster.ts';
import { findPlayerWithOthers } from '#lib/players/reads.ts';
import { listTasks, noneIfAway } from '#lib/tasks/reads.ts';
import type { TaskList } from '#lib/tasks/rules/task.ts';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '../support/refunds/refund-environment.ts';
import { findServerOf, IS_CLUSTER } from './test-cluster.ts';

const PLAYER_ID = 501;

// What every page reads, while the server of some games refuses connections.
describe.skipIf(!IS_CLUSTER)('while one server of a cluster is away', () => {
  let testEnv: RefundEnvironment;
  let here: RefundGame;
  let elsewhere: RefundGame;

  beforeAll(async () => {
    testEnv = await openRefundEnvironment();
    const games = [
      await testEnv.newGame('one'),
      await testEnv.newGame('two'),
      await testEnv.newGame('three'),
      await testEnv.newGame('four'),
    ];
    const servers = await findServersOfGames(
      testEnv.db,
      games.map(({ gameId }) => gameId),
    );
    const [first, ...others] = games;
    const other = others.find(({ gameId }) => servers.get(gameId) !== servers.get(first?.gameId ?? 0));
    if (first === undefined || other === undefined) throw new Error('these games lie on one server: add another');
    [here, elsewhere] = [first, other];
  });
  afterAll(() => testEnv.close());

  const tasksOf = async ({ gameId, timeZone, now }: RefundGame): Promise<TaskList> =>
    await listTasks(testEnv.db, { gameId, timeZone, personId: testEnv.people.support.id, now: now(), scope: 'all' });

  const findPlayer = async ({ gameId }: RefundGame, other: RefundGame) =>
    await findPlayerWithOthers(testEnv.db, { gameId, playerId: PLAYER_ID, otherGameIds: [other.gameId] }, sql<null>`null`);

  test('the badges of games on the others are read, and what concerns every game is not known', async () => {
    for (const { gameId } of [here, elsewhere])
      await testEnv.pool.query(
        `insert into known_player (game_id, player_id, player_email, identity_id, seen_at) values ($1, $2, 'kim@players.example', 'idn_1', now())`,
        [gameId, PLAYER_ID],
      );
    const same = { elsewhere: [{ gameId: elsewhere.gameId, playerId: PLAYER_ID }] };
    const before = await tasksOf(here);
    expect(before.unreadCount).toBe(0);
    expect(await findPlayer(here, elsewhere)).toMatchObject(same);
    const comesBack = await refuseConnections(elsewhere);
    try {
      expect(await tasksOf(here)).toMatchObject({ tasks: before.tasks, unreadCount: null });
      expect(await findPlayer(here, elsewhere)).toMatchObject({ stored: { playerId: PLAYER_ID }, elsewhere: null });
      expect(await noneIfAway(tasksOf(elsewhere))).toBeNull();
    } finally {
      await comesBack();
    }
    expect((await tasksOf(here)).unreadCount).toBe(0);
    expect((await tasksOf(elsewhere)).unreadCount).toBe(0);
    expect(await findPlayer(here, elsewhere)).toMatchObject(same);
  });

  /** Makes the server of a game refuse connections to this database until the returned function is called. */
  async function refuseConnections({ gameId }: RefundGame): Promise<() => Promise<void>> {
    const server = await findServerOf(testEnv, gameId);
    const client = new pg.Client(Object.assign(new URL(server), { pathname: '/postgres' }).href);
    await client.connect();
    await client.query(`alter database ${testEnv.name} with allow_connections false`);
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [testEnv.name]);
    return async () => {
      await client.query(`alter database ${testEnv.name} with allow_connections true`);
      await client.end();
    };
  }
});
