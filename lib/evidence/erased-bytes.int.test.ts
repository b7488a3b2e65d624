import { expect, test } from 'vitest';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { listTablesHolding, OCTOBER, openTestEnvironment } from '#e2e/support/test-environment.ts';
import { readPeriodDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { verifyGame } from './verify/verify-game.ts';
import { eraseRecipient } from './writes/erasures.ts';

const PERSON = 9010;
/** The period of one of their supporters. */
const PERIOD = 2026100004;
const EMAIL = 'witness-9010@creators.example';
const NAMED = /Juniper Tide|witness-9010@|idn_witness_9010/i;

test('a reading of a game without an erasure that is marked as redacted is refused, and named where it is forced', async () => {
  const other = await openTestEnvironment();
  const context = { game: await other.game(), config: other.config };
  await readPeriodDetail(context, PERIOD, { limit_ms: 60_000 });
  const statement = 'update report_read set is_redacted = true';
  await expect(other.pool.query(statement)).rejects.toThrow(/is evidence/);
  const named = await withTampering(
    other.pool,
    async (client) => void (await client.query(statement)),
    async (db) => (await verifyGame(db, context.game.gameId)).violations.map(({ name }) => name),
  );
  expect(named).toEqual(['redacted']);
  await other.close();
});

test('a reading that is being stored while the person is erased is stored without them, or found by the erasure', {
  tags: 'proof',
}, async () => {
  const other = await openTestEnvironment();
  await other.pull({ start: OCTOBER.start, end: '2026-10-02T00:00:00Z' });
  const context = { game: await other.game(), config: other.config };
  await Promise.all([
    ...[1, 2, 3].map(() => readPeriodDetail(context, PERIOD, { limit_ms: 60_000 })),
    eraseRecipient(other.db, { gameId: context.game.gameId, playerId: PERSON, by: 'command line', reason: 'a request' }),
    ...[1, 2, 3].map(() => readPeriodDetail(context, PERIOD, { limit_ms: 60_000 })),
  ]);
  expect(await listTablesHolding(other.pool, NAMED)).toEqual(['response']);
  expect((await other.pool.query(`select from report_read where kind = 'period'`)).rowCount).toBe(6);
  expect((await verifyGame(other.db, context.game.gameId)).violations).toEqual([]);
  await other.close();
});

test('a response that was refused is stored without the person, before an erasure and after it', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  const { gameId: id } = await other.game();
  const day = { start: OCTOBER.start, end: '2026-10-02T00:00:00Z' };
  const fail = async (): Promise<void> => {
    // The first page is sound and names people, and a later call ends the pull.
    await other.control('POST', 'faults', [{ kind: 'number_for_string', path: 'totals.net_attributed_usd', times: 9 }]);
    expect((await other.pull(day)).run).toMatchObject({ ended: 'failed' });
    await other.control('DELETE', 'faults');
  };
  await fail();
  expect(await listTablesHolding(other.pool, NAMED)).toEqual(['response']);
  await other.pool.query(
    `insert into known_player (game_id, player_id, player_email, identity_id, seen_at) values ($1, $2, $3, 'idn_witness_9010', now())`,
    [id, PERSON, EMAIL],
  );
  expect(await eraseRecipient(other.db, { gameId: id, playerId: PERSON, by: 'command line', reason: 'a request' })).toBe(true);
  expect(await listTablesHolding(other.pool, NAMED)).toEqual([]);
  await fail();
  expect(await listTablesHolding(other.pool, NAMED)).toEqual([]);
  expect(await listTablesHolding(other.pool, /@creators\.example/), 'others are named').toEqual(['response']);
  expect((await verifyGame(other.db, id)).violations).toEqual([]);
  await other.close();
});

test('answers about transfers to the person are removed, and those to others stay', async () => {
  const other = await openTestEnvironment();
  const { gameId: id } = await other.game();
  await other.pool.query(
    `insert into known_player (game_id, player_id, player_email, identity_id, seen_at) values ($1, 77, 'p77@players.example', 'idn_77', now())`,
    [id],
  );
  for (const [transactionId, identityId] of [
    ['TRF_THEIRS', 'idn_77'],
    ['TRF_OTHERS', 'idn_78'],
  ]) {
    await other.pool.query(
      `insert into known_transfer (game_id, transaction_id, is_destination, to_identity_id, read_at) values ($1, $2, true, $3, now())`,
      [id, transactionId, identityId],
    );
    for (const kind of ['transfer', 'approval'])
      await other.pool.query(`insert into detail_read values ($1, $2, $3, now(), '', sha256(''))`, [id, kind, transactionId]);
  }
  await eraseRecipient(other.db, { gameId: id, playerId: 77, by: 'command line', reason: 'a request' });
  const { rows: answers } = await other.pool.query(`select kind, subject from detail_read order by kind`);
  expect(answers).toEqual(['approval', 'transfer'].map((kind) => ({ kind, subject: 'TRF_OTHERS' })));
  const { rows: known } = await other.pool.query('select transaction_id, to_identity_id from known_transfer order by 1');
  expect(known).toEqual([
    { transaction_id: 'TRF_OTHERS', to_identity_id: 'idn_78' },
    { transaction_id: 'TRF_THEIRS', to_identity_id: null },
  ]);
  await other.close();
});
