// @module-tag no-retry
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { renderDue } from '../render-snapshot.ts';
import { type Verification, verifyGame } from './verify-game.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const SECOND = { start: '2026-10-02T00:00:00Z', end: '2026-10-03T00:00:00Z' };
const BOTH = { start: DAY.start, end: SECOND.end };
const OPEN = { start: '2026-11-20T00:00:00Z', end: '2026-11-22T00:00:00Z' };
let testEnv: TestEnvironment;
let gameId: number;

/** A small database with everything in it: two days, both together, an open window, a re-check, a new version, a failure and a lie that stayed. */
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  for (const window of [DAY, SECOND, BOTH, OPEN, DAY]) await testEnv.pull(window);
  await testEnv.control('POST', 'faults', [{ kind: 'html' }]);
  await testEnv.pull(SECOND, { isFresh: true });
  await testEnv.control('POST', 'faults', [{ kind: 'lost_line', times: 2 }]);
  await testEnv.pull(SECOND, { isFresh: true });
  await testEnv.control('POST', 'refunds', { period_id: 2026100014, refunded_at: '2026-10-01T20:00:00Z' });
  await testEnv.pull(BOTH);
  gameId = (await testEnv.game()).gameId;
  await renderDue(await testEnv.game());
});
afterAll(() => testEnv.close());

test('a database with a re-check, drift, a failure and an inconsistent snapshot passes verification', async () => {
  const { violations, ...counted } = await verifyGame(testEnv.db, gameId);
  expect(violations).toEqual([]);
  const none = { refunds: 0, runs: 0, journals: 0, details: 0, payments: 0, reports: 0, actions: 0, warnings: [] };
  expect(counted).toEqual({ slices: 7, snapshots: 6, responses: 16, ...none });
});

/** Each line: a change made directly in the database (null: `forgeBody`), and a pattern of the violations it must cause. */
const TAMPERS: [what: string, statement: string | null, violation: RegExp][] = [
  ['a rendered file', `update rendition_part set body = '\\x00' where kind = 'file' and part_no = 1`, /^rendition_file_bytes$/],
  ['a removed part of a rendered file', `delete from rendition_part where kind = 'file' and part_no = 1`, /^rendition_file_bytes$/],
  ['which snapshot is current', `update current_window set status = 'complete' where status = 'open'`, /^current_snapshot$/],
  ['a window without its current snapshot', `delete from current_window where window_start = '2026-10-02T00:00:00Z'`, /^current_snapshot$/],
  ['a rendered table', `update rendition_part set body = '\\x00' where kind = 'table'`, /^rendition_table_bytes$/],
  ['the orders of a rendered table', `update rendition_part set body = '\\x00' where kind = 'orders'`, /^rendition_orders_bytes$/],
  ['the digest of rendered orders', `update rendition set orders_sha256 = sha256('other')`, /^rendition_orders_digest$/],
  ['the digest of a rendered file', `update rendition set file_sha256 = sha256('other')`, /^rendition_file_digest$/],
  ['the digest of a rendered table', `update rendition set table_sha256 = sha256('other')`, /^rendition_table_digest$/],
  [
    'a sum of a rendered sheet',
    `update rendition set sums = jsonb_set(sums, '{net_attributed_usd}', '"1.00"') where sheet = 'recipients'`,
    /^rendition_sums$/,
  ],
  ['the first rows of a rendered sheet', `update rendition set head = jsonb_set(head, '{counts,all}', '7')`, /^rendition_head$/],
  [
    'a byte of a body',
    `update response set body = set_byte(body, 40, get_byte(body, 40) # 1) where purpose = 'page'`,
    /^response_(digest|reads)$/,
  ],
  ['a whole body, digest and all', null, /_of_raw_bytes$/],
  ['a digest of a body', `update response set sha256 = decode(repeat('ab', 32), 'hex') where purpose = 'control'`, /^response_digest$/],
  ['the size of a body', `update response set inflated_byte_count = inflated_byte_count + 1 where purpose = 'page'`, /^response_size$/],
  ['the status of an answer', `update response set status = 206 where purpose = 'page'`, /^response_status$/],
  ['a refused body', `update response set body = '\\x00' where purpose = 'refused'`, /^response_digest$/],
  ['a removed answer', `delete from response where response_id = (select min(response_id) from response)`, /^slice_answers_kept$/],
  [
    'a removed control answer',
    `delete from response where purpose = 'control' and snapshot_id = (select min(snapshot_id) from response where purpose = 'control')`,
    /^control_|^recheck_answers$/,
  ],
  [
    'the request of an answer',
    `update response set request = replace(request, '2026-10-01', '2026-09-30') where purpose = 'page'`,
    /^slice_|_of_raw_bytes$/,
  ],
  [
    'an amount of a line',
    `update renewal_line set attributed_amount_usd = attributed_amount_usd + 0.01 where period_id = 2026100004`,
    /^slice_digest_of_rows$/,
  ],
  ['the price of a line', `update renewal_line set amount_usd = amount_usd * 2 where period_id = 2026100004`, /^slice_digest_of_rows$/],
  ['the recipient of a line', `update renewal_line set recipient_player_id = 9001 where period_id = 2026100004`, /^slice_digest_of_rows$/],
  [
    'when a line settled',
    `update renewal_line set paid_at_reported = '2026-10-01T01:00:00.001Z' where period_id = 2026100004`,
    /^slice_(digest_of_rows|order_columns)$/,
  ],
  [
    'the order of a line',
    `update renewal_line set paid_at = paid_at + interval '1 hour' where period_id = 2026100004`,
    /^slice_order_columns$/,
  ],
  ['the status of a line', `update renewal_line set status = 'refunded' where period_id = 2026100001`, /^renewals_of_raw_bytes$/],
  ['the item of a line', `update renewal_line set item_name = 'Another pass' where period_id = 2026100001`, /^renewals_of_raw_bytes$/],
  ['a removed line', `delete from renewal_line where period_id = 2026100004`, /^slice_line_counts$/],
  [
    'a line added',
    `insert into renewal_line select (r).* from (select jsonb_populate_record(l, '{"period_id": 77}') as r from renewal_line l where period_id = 2026100001 limit 1) x`,
    /^slice_line_counts$/,
  ],
  [
    'an amount of a reversal',
    `update reversal_line set reversed_attributed_usd = reversed_attributed_usd - 0.01 where period_id = 2026100007`,
    /^slice_digest_of_rows$/,
  ],
  [
    'the basis of a reversal',
    `update reversal_line set reversal_basis = 'refund_receipts' where period_id = 2026100007`,
    /^slice_digest_of_rows$/,
  ],
  [
    'a reversal with its events removed',
    `with gone as (delete from refund_event where period_id = 2026100004) delete from reversal_line where period_id = 2026100004`,
    /^slice_line_counts$/,
  ],
  ['a removed refund event', `delete from refund_event where period_id = 2026100005 and event_no = 2`, /^slice_digest_of_rows$/],
  [
    'two refund events in another order',
    `update refund_event set event_no = 4 - event_no + 10 where period_id = 2026100005`,
    /^slice_digest_of_rows$/,
  ],
  ['whose refund event it is', `update refund_event set recipient_player_id = 9001 where period_id = 2026100005`, /^slice_order_columns$/],
  [
    'a recipient of a slice',
    `update slice_recipient set net_attributed_usd = 0 where recipient_player_id = 9001`,
    /^slice_digest_of_rows$/,
  ],
  [
    'the name of a recipient of a slice',
    `update slice_recipient set player_name = 'Another Name' where recipient_player_id = 9010`,
    /^recipients_of_raw_bytes$/,
  ],
  ['a total of a slice', `update slice set settled_gross_usd = settled_gross_usd + 1 where slice_id = 1`, /^slice_(digest|totals)_of_r/],
  ['the count of calls of a slice', `update slice set call_count = call_count + 1 where slice_id = 1`, /^slice_answers_kept$/],
  ['when a slice was reported', `update slice set generated_at = '2026-11-22T00:00:00Z' where slice_id = 1`, /^slice_generated_at$/],
  ['whether a slice is consistent', `update slice set is_consistent = true`, /^slice_is_consistent$/],
  ['the digest of a slice', `update slice set digest = decode(repeat('ab', 32), 'hex') where slice_id = 1`, /^slice_digest_of_rows$/],
  ['the version of a slice', `update slice set version = 7, supersedes_slice_id = null where version = 2`, /^slice_versions$/],
  ['a removed slice', `delete from slice where slice_id = 1`, /^slices_tile_the_window$/],
  [
    'a slice swapped for its older version',
    `update snapshot_slice set slice_id = 1 where snapshot_id = (select max(snapshot_id) from snapshot) and slice_no = 1`,
    /^snapshot_digest$/,
  ],
  ['two slices in another order', `update snapshot_slice set slice_no = 12 - slice_no where snapshot_id = 3`, /^slices_tile_the_window$/],
  ['a slice of a snapshot left out', `delete from snapshot_slice where snapshot_id = 3 and slice_no = 2`, /^slices_tile_the_window$/],
  ['a control total', `update snapshot set net_attributed_usd = net_attributed_usd + 0.01 where snapshot_id = 1`, /^snapshot_digest$/],
  ['a count of open items', `update snapshot set open_item_count = 0 where snapshot_id = 1`, /^snapshot open_item_count$/],
  [
    'the negative balances',
    `update snapshot set negative_balance_usd = 0, negative_balance_count = 0 where snapshot_id = 1`,
    /^snapshot negative_balance_/,
  ],
  ['a status made better', `update snapshot set status = 'complete' where status = 'inconsistent'`, /^status$/],
  ['a status made worse', `update snapshot set status = 'inconsistent' where snapshot_id = 1`, /^status$/],
  [
    'how far an open month reaches',
    `update snapshot set covered_until = covered_until - interval '1 hour' where status = 'open'`,
    /^slices_tile_the_window$/,
  ],
  [
    'the end of an open window',
    `update snapshot set window_end = window_end + interval '1 day' where status = 'open'`,
    /^snapshot_window$/,
  ],
  [
    'a digest in the chain',
    `update snapshot set digest = decode(repeat('ab', 32), 'hex') where chain_no = 2`,
    /^chain_names_the_link_before$/,
  ],
  ['a removed link of the chain', `delete from snapshot where chain_no = 2`, /^chain_has_no_gap$/],
  ['the removed last link', `delete from snapshot where chain_no = (select max(chain_no) from snapshot)`, /^snapshot_exists$/],
  ['the side of a check', `update snapshot_check set actual = expected where not ok`, /^check /],
  ['a failed check marked as matching', `update snapshot_check set ok = true where not ok`, /^check /],
  ['the weight of a check', `update snapshot_check set severity = 'warning' where not ok`, /^check /],
  ['a removed check', `delete from snapshot_check where snapshot_id = 1 and check_no = 3`, /^check/],
  [
    "a recipient's net",
    `update snapshot_recipient set net_attributed_usd = 0 where snapshot_id = 1 and recipient_player_id = 9001`,
    /^recipient 9001$/,
  ],
  [
    "a recipient's email",
    `update snapshot_recipient set player_email = 'thief@example.test' where snapshot_id = 1 and recipient_player_id = 9010`,
    /^recipient 9010$/,
  ],
  [
    'exact reversals above what was attributed',
    `update reversal_line set originally_attributed_usd = 0.01 where period_id = 2026100004`,
    /^reversed_within_attributed$/,
  ],
  ['what changed since an earlier snapshot', `update snapshot_drift set net_change_usd = 0`, /^snapshot_drift$/],
  ['a removed note of what changed', `delete from snapshot_drift`, /^snapshot_drift$/],
  ['a removed recipient', `delete from snapshot_recipient where snapshot_id = 1 and recipient_player_id = 9008`, /^recipients_stored$/],
  ['the facts digest of a snapshot', `update snapshot set facts_digest = sha256('other') where chain_no = 2`, /^facts_digest$/],
  ['when a snapshot was stored', `update snapshot set created_at = created_at - interval '1 day' where chain_no = 2`, /^snapshot_digest$/],
  ['when Invo reported a snapshot', `update snapshot set generated_at = '2026-11-21T13:00:00Z' where chain_no = 2`, /^snapshot_digest$/],
  [
    'the rule of a link',
    `update snapshot set digest_version = 1, facts_digest = null where chain_no = 2`,
    /^chain_follows_the_newest_rule$/,
  ],
  [
    'when a response came',
    `update response set received_at = received_at + interval '1 hour' where purpose = 'page' and slice_id = 1`,
    /^snapshot_digest$/,
  ],
  [
    'who a recipient is, everywhere',
    `with s as (update slice_recipient set player_name = 'Another Name' where recipient_player_id = 9010) update snapshot_recipient set player_name = 'Another Name' where recipient_player_id = 9010`,
    /^identity of recipient 9010$/,
  ],
  ['a salt', `update recipient_salt set salt = sha256('other') where recipient_player_id = 9010`, /^identity of recipient 9010$/],
  ['a removed salt', `delete from recipient_salt where recipient_player_id = 9010`, /^identity_salt_kept$/],
  [
    'an identity digest',
    `update snapshot_recipient set identity_digest = sha256('other') where recipient_player_id = 9010 and snapshot_id = 1`,
    /^(snapshot_digest|identity of recipient 9010)$/,
  ],
  [
    'an erasure that nobody made',
    `insert into recipient_erasure (game_id, recipient_player_id, erased_by, reason) select game_id, 9010, 'x', 'x' from game limit 1`,
    /^erased_identity$/,
  ],
  ['the number of a check', `update snapshot_check set check_no = 900 where snapshot_id = 1 and check_no = 3`, /^numbered_without_gap$/],
  [
    'the number of a refund event',
    `update refund_event set event_no = 9 where period_id = 2026100005 and event_no = 2`,
    /^slice_order_columns$/,
  ],
  ['the pull of a slice', `update slice set pull_id = pull_id + 1 where slice_id = 1`, /^slice_pull$/],
  ['the pull of a snapshot', `update snapshot set pull_id = pull_id + 1 where chain_no = 1`, /^snapshot_pull$/],
  ['the pull of a snapshot, to none', `update snapshot set pull_id = pull_id + 1000 where chain_no = 1`, /^snapshot_pull$/],
  [
    'a text no instant can be read from',
    `update renewal_line set paid_at_reported = 'x' where period_id = 2026100004`,
    /^can_be_verified$/,
  ],
  ['a re-check that found the same', `update recheck set is_equal = not is_equal`, /^recheck_result$/],
];

/** That a digest covers the other fields too is what `digest.test.ts` shows without a database. */
const OF_RENDITIONS = Object.groupBy(proofCases(4, TAMPERS), ([, , { source }]) => (source.startsWith('^rendition') ? 'yes' : 'no'));

test.each(OF_RENDITIONS.yes ?? [])('%s is found', expectFound);

describe('without rendered sheets, which take longest to verify and show no other change', () => {
  beforeAll(async () => void (await testEnv.pool.query('delete from rendition')));

  test.each(OF_RENDITIONS.no ?? [])('%s is found', expectFound);
});

async function expectFound(_: string, statement: string | null, name: RegExp): Promise<void> {
  const { violations } = await verifyAfter(statement ?? forgeBody);
  expect(violations.map((each) => each.name).filter((each) => name.test(each))).not.toEqual([]);
  expect(violations.every((each) => each.subject !== '')).toBe(true);
}

/** Tampers within a transaction, verifies inside it, and undoes it. */
async function verifyAfter(tamper: string | ((client: pg.PoolClient) => Promise<void>)): Promise<Verification> {
  return withTampering(
    testEnv.pool,
    async (client) => {
      if (typeof tamper === 'string') expect((await client.query(tamper)).rowCount).toBeGreaterThan(0);
      else await tamper(client);
    },
    (view) => verifyGame(view, gameId),
  );
}

/** Another amount in the bytes of a page, with a digest and a size that fit. */
async function forgeBody(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ response_id: number; body: Buffer }>(
    `select response_id, body from response where purpose = 'page' order by response_id limit 1`,
  );
  const [page] = rows;
  const forged = gunzipSync(page?.body ?? Buffer.of())
    .toString('utf8')
    .replace('"amount_usd":"50.00"', '"amount_usd":"51.00"');
  const values = [page?.response_id, gzipSync(forged), createHash('sha256').update(forged).digest(), Buffer.byteLength(forged)];
  await client.query('update response set body = $2, sha256 = $3, inflated_byte_count = $4 where response_id = $1', values);
}
