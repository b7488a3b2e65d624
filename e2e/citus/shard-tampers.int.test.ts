// @module-tag proof
// @module-tag no-retry
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLACEMENTS } from '#db/distribution.ts';
import { verifyGame } from '#lib/evidence/verify/verify-game.ts';
import { type Column, changeAlone, listCoveredColumns } from '../support/evidence/draw-tampers.ts';
import { recordFigure } from '../support/proof.ts';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '../support/refunds/refund-environment.ts';
import { findServerOf, IS_CLUSTER } from './test-cluster.ts';

// What someone changes who can log in to the server that holds the rows of a game, past the coordinator.
const DAYS = [
  { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' },
  { start: '2026-10-02T00:00:00Z', end: '2026-10-03T00:00:00Z' },
];

describe.skipIf(!IS_CLUSTER)('a row that is changed on the server where it lies', () => {
  let testEnv: RefundEnvironment;
  let game: RefundGame;
  let server: pg.Client;

  beforeAll(async () => {
    testEnv = await openRefundEnvironment();
    game = await testEnv.newGame('demo');
    for (const window of DAYS) await testEnv.pull(window);
    await game.ask(testEnv.people.support);
    await game.settleToRest();
    server = new pg.Client(await findServerOf(testEnv, game.gameId));
    await server.connect();
    await server.query(`set session_replication_role = 'replica'`);
  });
  afterAll(async () => {
    await server.end();
    await testEnv.close();
  });

  const countViolations = async (): Promise<number> => (await verifyGame(testEnv.db, game.gameId)).violations.length;

  /** Changes the first row that has the column, looks, and puts it back; null when there is none, or a constraint refuses the change. */
  async function findChanged(column: Column): Promise<boolean | null> {
    const { table, name, type } = column;
    const change = changeAlone(column);
    if (change === null) return null;
    const { rows } = await testEnv.pool.query(
      `select get_shard_id_for_distribution_column($1, $2::int) as shard, t.ctid::text as place, t.${name}::text as before, (${change.value})::text as after
       from ${table} t where t.game_id = $2 and ${change.where} order by t.ctid limit 1`,
      [table, game.gameId],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const set = async (place: string, text: string | null): Promise<string> =>
      (
        await server.query(`update ${table}_${row.shard} set ${name} = $1::${type} where ctid = $2::tid returning ctid::text as place`, [
          text,
          place,
        ])
      ).rows[0].place;
    const place = await set(row.place, row.after).catch((error: { code?: string }) => {
      if (error.code?.startsWith('23')) return null;
      throw error;
    });
    if (place === null) return null;
    const isFound = (await countViolations()) > 0;
    await set(place, row.before);
    return isFound;
  }

  test('is named by verify, whatever column it is', { timeout: 900_000 }, async () => {
    expect(await countViolations()).toBe(0);
    const columns = (await listCoveredColumns(testEnv.pool)).filter(({ table }) => PLACEMENTS[table]?.is === 'distributed');
    const unnoticed: string[] = [];
    let changed = 0;
    for (const column of columns) {
      const isFound = await findChanged(column);
      if (isFound === null) continue;
      changed++;
      if (!isFound) unnoticed.push(`${column.table}.${column.name}`);
    }
    expect(unnoticed).toEqual([]);
    expect(changed).toBeGreaterThan(80);
    expect(await countViolations()).toBe(0);
    recordFigure('a cluster: tampers on the shards', `${changed} of ${changed} columns, changed on the server of their rows, are named`);
  });
});
