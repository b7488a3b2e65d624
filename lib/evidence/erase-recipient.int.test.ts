import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { readSheet } from '#e2e/support/read-sheet.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import {
  listTablesHolding,
  OCTOBER,
  openPulledEnvironment,
  openTestEnvironment,
  type TestEnvironment,
} from '#e2e/support/test-environment.ts';
import { readPeriodDetail, readSubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { purgeBodies } from '#lib/webhooks/writes/delivery-reads.ts';
import { findRecipientHistory } from './reads/recipients.ts';
import { findChainHead } from './reads/snapshots.ts';
import { renderDue } from './render-snapshot.ts';
import { verifyGame } from './verify/verify-game.ts';
import { eraseRecipient } from './writes/erasures.ts';

const PERSON = 9010;
/** The period of one of their supporters. */
const PERIOD = 2026100004;
const EMAIL = 'witness-9010@creators.example';
/** Whatever names the person, in any spelling. */
const NAMED = /Juniper Tide|witness-9010@|idn_witness_9010/i;
let testEnv: TestEnvironment;
let gameId: number;

// The tests of this file continue from one another, in this order.
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  const game = await testEnv.game();
  gameId = game.gameId;
  await renderDue(game);
  // Two readings: the second has the bytes of the first.
  for (const _ of [1, 2]) await readReports();
});
afterAll(() => testEnv.close());

const erase = (playerId = PERSON): Promise<boolean | null> =>
  eraseRecipient(testEnv.db, { gameId, playerId, by: 'command line', reason: 'a request' });

const context = async (): Promise<Parameters<typeof readPeriodDetail>[0]> => ({ game: await testEnv.game(), config: testEnv.config });
/** Reads one of their periods and all of its subscription, as pages do. */
async function readReports(): Promise<Awaited<ReturnType<typeof readPeriodDetail>>> {
  const { rows } = await testEnv.pool.query<{ id: string }>('select subscription_id as id from renewal_line where period_id = $1', [
    PERIOD,
  ]);
  await readSubscriptionDetail(await context(), rows[0]?.id ?? '', { limit_ms: 60_000 });
  return await readPeriodDetail(await context(), PERIOD, { limit_ms: 60_000 });
}

test('the answers about orders of the person are removed, and those of others stay', async () => {
  const other = await openPulledEnvironment('2026-10');
  const { gameId: id } = await other.game();
  for (const [playerId, orderId] of [
    [PERSON, 'ORD_THEIRS'],
    [9001, 'ORD_OTHERS'],
  ]) {
    await other.pool.query(
      `insert into known_order (game_id, book, order_id, player_id, transaction_id, read_at) values ($1, 'currency', $2, $3, $2 || '_T', now())`,
      [id, orderId, playerId],
    );
    for (const subject of [orderId, `${orderId}_T`])
      await other.pool.query(`insert into detail_read values ($1, 'order', $2, now(), '', sha256(''))`, [id, subject]);
  }
  await eraseRecipient(other.db, { gameId: id, playerId: PERSON, by: 'command line', reason: 'a request' });
  const { rows } = await other.pool.query<{ subject: string }>('select subject from detail_read order by subject');
  expect(rows.map(({ subject }) => subject)).toEqual(['ORD_OTHERS', 'ORD_OTHERS_T']);
  await other.close();
});

test('bodies of webhooks about the person go, by their player ID, identity or email, and those of others stay', async () => {
  const other = await openPulledEnvironment('2026-10');
  const { gameId: id } = await other.game();
  const identity = await other.pool.query<{ identity_id: string }>(
    `select identity_id from slice_recipient where recipient_player_id = $1 and identity_id is not null limit 1`,
    [PERSON],
  );
  const named: [string, string, string][] = [
    ['player', String(PERSON), '{}'],
    ['identity', identity.rows[0]?.identity_id ?? '', '{}'],
    ['order', 'ORD_EMAIL', `{"data":{"order_id":"ORD_EMAIL","player_email":"Witness-9010@Creators.Example"}}`],
    ['order', 'ORD_ESCAPED', `{"data":{"note":"for witness-9010\\u0040creators.example."}}`],
    ['player', '9001', `{"data":{"player_email":"witness-9001@creators.example"}}`],
    ['order', 'ORD_LONGER', `{"data":{"player_email":"not-${EMAIL}"}}`],
  ];
  for (const [kind, idText, body] of named)
    await other.pool.query(
      `with stored as (
         insert into delivery (game_id, idempotency_key, meaning_digest, signed_at, secret_slot, signature_count, body, body_sha256, body_bytes, state)
         values ($1, $2::text, sha256(convert_to($2::text, 'UTF8')), now(), 'current', 1, $5, sha256('body'), 4, 'processed') returning delivery_id)
       insert into delivery_subject (game_id, kind, id_text, delivery_id) select $1, $3, $4, delivery_id from stored`,
      [id, `key ${idText}`, kind, idText, gzipSync(body)],
    );
  const listStored = async (): Promise<string[]> => {
    const { rows } = await other.pool.query<{ key: string }>(
      'select idempotency_key as key from delivery where body is not null order by delivery_id',
    );
    return rows.map(({ key }) => key);
  };
  await eraseRecipient(other.db, { gameId: id, playerId: PERSON, by: 'command line', reason: 'a request' });
  expect(await listStored()).toEqual(['key 9001', 'key ORD_LONGER']);
  // What comes later and names their player ID goes with the next sweep.
  await other.pool.query(`insert into delivery_subject select $1, 'player', $2, max(delivery_id) from delivery`, [id, String(PERSON)]);
  await purgeBodies(other.db, id);
  expect(await listStored()).toEqual(['key 9001']);
  await other.close();
});

test.each([
  [
    'an earlier read',
    `insert into known_player (game_id, player_id, player_email, identity_id, seen_at) values ($1, 77, 'kim@players.example', 'idn_77', now())`,
  ],
  [
    'a balance file',
    `with job as (insert into balance_job (game_id, scope, requested_by) values ($1, 'all', 'test') returning game_id, balance_job_id)
     insert into balance_entry (game_id, balance_job_id, entry_no, entry_key, outcome, player_id, identity_id)
     select game_id, balance_job_id, 1, 'player 77', 'found', '77', 'idn_77' from job`,
  ],
])('a body that names a player by the identity known from %s goes', { tags: 'proof' }, async (_, known) => {
  const other = await openTestEnvironment();
  const { gameId: id } = await other.game();
  await other.pool.query(known, [id]);
  for (const identity of ['idn_77', 'idn_78'])
    await other.pool.query(
      `with stored as (
         insert into delivery (game_id, idempotency_key, meaning_digest, signed_at, secret_slot, signature_count, body, body_sha256, body_bytes, state)
         values ($1, $2::text, sha256(convert_to($2::text, 'UTF8')), now(), 'current', 1, $3, sha256('body'), 4, 'processed') returning delivery_id)
       insert into delivery_subject (game_id, kind, id_text, delivery_id) select $1, 'identity', $2::text, delivery_id from stored`,
      [id, identity, gzipSync(`{"data":{"identity_id":"${identity}","player_name":"Kim"}}`)],
    );
  await eraseRecipient(other.db, { gameId: id, playerId: 77, by: 'command line', reason: 'a request' });
  const { rows } = await other.pool.query<{ key: string }>('select idempotency_key as key from delivery where body is not null');
  expect(rows.map(({ key }) => key)).toEqual(['idn_78']);
  await other.close();
});

test('recipients can be stored while the bodies of webhooks are searched', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  const { gameId: id } = await other.game();
  await other.pool.query(
    `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 77, 'kim@players.example', now())`,
    [id],
  );
  const requests: string[] = [];
  const db = dbOver(other.pool, (text) => void requests.push(text));
  await eraseRecipient(db, { gameId: id, playerId: 77, by: 'command line', reason: 'a request' });
  expect(requests.findIndex((text) => text.includes('body is not null'))).toBeGreaterThan(-1);
  expect(requests.findIndex((text) => text.includes('body is not null'))).toBeLessThan(requests.indexOf('begin'));
  expect(requests.indexOf('begin')).toBeLessThan(requests.findIndex((text) => text.includes('lock_game')));
  await other.close();
});

test('a player who was never a recipient is erased too', async () => {
  const other = await openTestEnvironment();
  const { gameId: id } = await other.game();
  await other.pool.query(
    `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 77, 'canary@players.example', now())`,
    [id],
  );
  expect(await eraseRecipient(other.db, { gameId: id, playerId: 77, by: 'command line', reason: 'a request' })).toBe(true);
  expect((await other.pool.query('select from known_player')).rowCount).toBe(0);
  await other.close();
});

test('before, the person is named in slices, snapshots, answers and files', async () => {
  expect(await listTablesHolding(testEnv.pool, NAMED)).toEqual([
    'known_player',
    'payee_detail',
    'rendition',
    'rendition_part',
    'report_read',
    'response',
    'slice_recipient',
    'snapshot_recipient',
  ]);
  const { text } = await readSheet(testEnv, OCTOBER, 'recipients');
  expect(text).toContain(EMAIL);
});

test('an erasure removes name, email and identity, and leaves figures, files and chain sound', async () => {
  const [head, before] = [await findChainHead(testEnv.db, gameId), await readSheet(testEnv, OCTOBER, 'recipients')];
  expect(await erase()).toBe(true);
  expect(await listTablesHolding(testEnv.pool, NAMED), 'the chain binds raw responses').toEqual(['response']);
  expect(await findChainHead(testEnv.db, gameId)).toEqual(head);
  expect((await verifyGame(testEnv.db, gameId)).violations).toEqual([]);
  await renderDue(await testEnv.game());
  const after = await readSheet(testEnv, OCTOBER, 'recipients');
  expect(after.text).not.toMatch(/Juniper Tide|witness-9010/);
  expect({ rows: after.manifest.rows, sums: after.manifest.sums }).toEqual({ rows: before.manifest.rows, sums: before.manifest.sums });
  expect((await verifyGame(testEnv.db, gameId)).violations).toEqual([]);
});

test('the page of the person says that they were erased, and shows their figures', async () => {
  const history = await findRecipientHistory(testEnv.db, await testEnv.game(), PERSON, true);
  expect(history).toMatchObject({ isErased: true, name: null, email: null, identityId: null });
  expect(history?.months).toHaveLength(1);
  expect((await findRecipientHistory(testEnv.db, await testEnv.game(), 9001, true))?.isErased).toBe(false);
});

test('what Invo reports of the person later is stored without their name', { tags: 'proof' }, async () => {
  await testEnv.pull(OCTOBER, { isFresh: true });
  await testEnv.pull({ start: OCTOBER.start, end: '2026-10-02T00:00:00Z' });
  expect(await listTablesHolding(testEnv.pool, NAMED)).toEqual(['response']);
  expect((await verifyGame(testEnv.db, gameId)).violations).toEqual([]);
});

test('a page whose period Invo doesn’t answer for shows the stored reading without the person, and all its figures', async () => {
  await testEnv.control('POST', 'faults', [{ kind: '503', times: 99 }]);
  const detail = await readReports();
  await testEnv.control('DELETE', 'faults');
  expect(JSON.stringify(detail)).not.toMatch(NAMED);
  expect(detail).toMatchObject({
    kind: 'stored',
    value: { report: { period: { attribution: { recipient_player_id: PERSON, recipient: { player_email: null, player_name: null } } } } },
  });
});

test('what is read of their periods later is stored without their name', { tags: 'proof' }, async () => {
  expect(await readReports()).toMatchObject({ kind: 'live' });
  expect(await listTablesHolding(testEnv.pool, NAMED)).toEqual(['response']);
  expect((await verifyGame(testEnv.db, gameId)).violations).toEqual([]);
});

test('a person is erased once, an unknown one not at all, and the audit has it', async () => {
  expect(await erase()).toBe(false);
  expect(await erase(123_456)).toBeNull();
  const { rows } = await testEnv.pool.query(`select actor, subject, detail from audit where act = 'erased a recipient'`);
  expect(rows).toEqual([{ actor: 'command line', subject: 'recipient 9010', detail: { reason: 'a request' } }]);
});

test.each([
  [
    'the name of a person who is not erased',
    `update snapshot_recipient set player_name = null where recipient_player_id = 9001`,
    /is evidence/,
  ],
  [
    'a figure of one who is',
    `update snapshot_recipient set net_attributed_usd = net_attributed_usd + 1 where recipient_player_id = 9010`,
    /is evidence/,
  ],
  ['a new name of one who is', `update slice_recipient set player_name = 'New' where recipient_player_id = 9010`, /is evidence/],
  ['the salt of a person who is not', `delete from recipient_salt where recipient_player_id = 9001`, /until its person is erased/],
  ['a salt', `update recipient_salt set salt = sha256('x')`, /until its person is erased/],
  ['an erasure', `delete from recipient_erasure`, /is evidence/],
  ['a figure of a reading', `update report_read set is_redacted = true, card_charged_usd = 1`, /is evidence/],
  ['the bytes of a reading as if they were received', `update report_read set body = '', is_redacted = false`, /is evidence/],
  ['a response that the chain binds', `update response set is_redacted = true`, /is evidence/],
  ['a response by removing it', `delete from response`, /is evidence/],
])('the database refuses to change %s', async (_, statement, reason) => {
  await expect(testEnv.pool.query(statement)).rejects.toThrow(reason);
});

test('a figure of a redacted reading that was changed, and its bytes, are named', { tags: 'proof' }, async () => {
  const tampered = (statement: string): Promise<string[]> =>
    withTampering(
      testEnv.pool,
      async (client) => void (await client.query(statement)),
      async (db) => (await verifyGame(db, gameId)).violations.map(({ name }) => name),
    );
  expect(await tampered(`update report_read set card_charged_usd = 49 where is_redacted and kind = 'period' and read_no = 1`)).toEqual([
    'report_figures',
  ]);
  expect(await tampered(`update report_read set sha256 = sha256('x') where is_redacted and kind = 'period' and read_no = 1`)).toEqual([
    'report_digest',
  ]);
});

test('a sheet that was read before an erasure isn’t stored after it', { tags: 'proof' }, async () => {
  await testEnv.pool.query('delete from rendition');
  let isErased: boolean | null = null;
  // Everything is read when what stores it begins.
  const db = dbOver(testEnv.pool, async (text) => {
    if (text === 'begin') isErased ??= await erase(9009);
  });
  await renderDue({ ...(await testEnv.game()), db });
  expect(isErased).toBe(true);
  const { rows } = await testEnv.pool.query<{ body: Buffer; head: string }>(
    'select body, head::text from rendition join rendition_part using (game_id, snapshot_id, sheet)',
  );
  const stored = rows.map(({ body, head }) => head + gunzipSync(body).toString());
  expect(stored.filter((text) => text.includes('Aurora Vale')).length, 'the others are named').toBeGreaterThan(2);
  expect(stored.filter((text) => /Halcyon Drift|witness-9009/.test(text))).toEqual([]);
  expect((await verifyGame(testEnv.db, gameId)).violations).toEqual([]);
});
