import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { sumMoney } from '#lib/core/money.ts';
import { draftRun } from '../draft-run.ts';
import type { Run } from './find-run.ts';
import { listDueLines } from './payout-decisions.ts';
import { listPaidLines, listRunLines, RUN_LINES, STATEMENTS } from './run-lines.ts';

let testEnv: TestEnvironment;
let run: Run;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  const drafted = await draftRun(await testEnv.game(), await seedFinance(testEnv, 'fiona'), '2026-08');
  if (!drafted.ok) throw new Error(drafted.reason);
  run = drafted.run;
  // Invo reports for one recipient a name that is an email.
  const client = await testEnv.pool.connect();
  await client.query('begin');
  await client.query(`set local session_replication_role = 'replica'`);
  await client.query(
    `update snapshot_recipient set player_name = 'mira@studio.example' where snapshot_id = $1 and recipient_player_id = (
       select recipient_player_id from payout_line where run_id = $2 and payable_usd > 0 order by payable_usd desc limit 1)`,
    [run.snapshotId, run.runId],
  );
  await client.query('commit');
  client.release();
});
afterAll(() => testEnv.close());

const PAGE = { dir: 'desc' as const, limit: 10, after: null };
const FIRST = { chip: 'all', find: '', page: { sort: 'due_usd', ...PAGE } };

test.each([
  ['a person who may see emails', true, 1],
  ['a viewer', false, 0],
])('a name that holds an email is found by %s: %s', async (_, canSeeEmails, count) => {
  const search = { find: 'mira', canSeeEmails };
  const request = { ...FIRST, find: search.find };
  const lines = await listRunLines(testEnv.db, RUN_LINES, { ...run, canSeeEmails }, request);
  const statements = await listRunLines(testEnv.db, STATEMENTS, { ...run, canSeeEmails }, request);
  const due = await listDueLines(testEnv.db, run, search, 10);
  expect([lines.rows.length, statements.rows.length, due.rows.length]).toEqual([count, count, count]);
});

test('the sums over selected lines are those of these lines, whatever page is read', async () => {
  const { rows } = await listRunLines(testEnv.db, RUN_LINES, { ...run, canSeeEmails: false }, FIRST);
  const chosen = rows.slice(1, 4);
  const { total } = await listRunLines(
    testEnv.db,
    RUN_LINES,
    { ...run, canSeeEmails: false, recipientIds: chosen.map(({ recipient_player_id }) => recipient_player_id) },
    { ...FIRST, page: { ...FIRST.page, limit: 1, withTotal: true } },
  );
  expect(total?.count).toBe(3);
  expect(total?.sums['payable_usd']).toBe(sumMoney(chosen.map(({ payable_usd }) => payable_usd)));
});

test('a recipient is found by the beginning of the player ID, by everybody', async () => {
  const { rows } = await listRunLines(testEnv.db, RUN_LINES, { ...run, canSeeEmails: false }, FIRST);
  const id = String(rows[0]?.recipient_player_id);
  const found = await listRunLines(testEnv.db, RUN_LINES, { ...run, canSeeEmails: false }, { ...FIRST, find: id });
  expect(found.rows.map(({ recipient_player_id }) => String(recipient_player_id))).toEqual([id]);
});

test('recipients beside the paid lines are named by player ID, masked for a viewer, and a player Invo never named is left out', async () => {
  const { rows } = await listDueLines(testEnv.db, run, { find: 'mira', canSeeEmails: true }, 1);
  const id = rows[0]?.recipientId ?? 0;
  const read = async (canSeeEmails: boolean, named: number[]) => await listPaidLines(testEnv.db, run, { named, canSeeEmails });
  const { paid, names } = await read(true, [id, id, 999_999_999]);
  expect([...names]).toEqual([[id, 'mira@studio.example']]);
  expect([...(await read(false, [id])).names]).toEqual([[id, 'm•••@s•••.example']]);
  expect(paid[0]).toMatchObject({ recipientId: id, name: 'mira@studio.example' });
  expect(await read(true, [])).toEqual({ paid, names: new Map() });
});
