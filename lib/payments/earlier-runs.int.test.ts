import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_CLUSTER } from '#e2e/citus/test-cluster.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideDetails } from '../payees/decide-details.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import { findRun, type Run } from '../payouts/reads/find-run.ts';
import { digestRun } from '../payouts/reads/run-verification.ts';
import { digestContent, type RunContent } from '../payouts/rules/run-content.ts';
import { verifyRuns } from '../payouts/verify-runs.ts';
import { makeFiles } from './make-files.ts';
import { openFile } from './open-file.ts';
import { decideElsewhere, proposeElsewhere } from './pay-elsewhere.ts';
import { listNames, listWaitingRecipients, sumWaiting } from './reads/waiting-items.ts';
import { recordReport } from './record-report.ts';
import { verifyPayments } from './verify-payments.ts';

const PAYMENTS_MIGRATION = path.resolve(import.meta.dirname, '../../db/migrations/0051_payments.sql');
/** The last rules by which a line names no payment details. */
const RULES = 2;
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let run: Run;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const closed = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  await makeOlder(closed);
  run = await findOwn(closed.runId);
});
afterAll(() => testEnv.close());

async function findOwn(runId: number): Promise<Run> {
  const found = await findRun(game.db, game.gameId, { runId });
  if (found === null) throw new Error('no run');
  return found;
}

/** Makes an approved run what the migration of payments found: no payment details exist, no line names any, and its approval covers the rules of its day. */
async function makeOlder({ gameId, runId }: Run): Promise<void> {
  const change = async (...statements: [text: string, values?: unknown[]][]): Promise<void> => {
    const client = await testEnv.pool.connect();
    await client.query('begin');
    await client.query(`set local session_replication_role = 'replica'`);
    for (const [text, values = []] of statements) await client.query(text, values);
    await client.query('commit');
    client.release();
  };
  await change(
    ['delete from payout_item'],
    ['update payout_line set detail_no = null'],
    ['delete from payee_detail'],
    [`delete from audit where act like '%payment details%'`],
  );
  const { rows } = await testEnv.pool.query<{ content: RunContent; digest: string }>(
    `select content, encode(content_digest, 'hex') as digest from payout_run where run_id = $1`,
    [runId],
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error('no run');
  const { returned: _, ...older } = stored.content;
  const content: RunContent = { ...older, rules: RULES, ...(await digestRun(testEnv.db, { gameId, runId })) };
  const digest = digestContent(content);
  await change(
    [`update payout_run set content = $1, content_digest = decode($2, 'hex')`, [JSON.stringify(content), digest]],
    [`update payout_approval set content_digest = decode($1, 'hex')`, [digest]],
    ['update audit set detail = replace(detail::text, $1, $2)::jsonb', [stored.digest, digest]],
  );
  const [, ofEarlierRuns] = (await readFile(PAYMENTS_MIGRATION, 'utf8')).split('-- Runs approved before this migration.\n');
  await testEnv.pool.query(ofEarlierRuns ?? '');
}

async function violations(): Promise<unknown[]> {
  const findings = new Findings();
  await verifyRuns(testEnv.db, game.gameId, findings);
  await verifyPayments(testEnv.db, game.gameId, PAYEE_KEY, findings);
  await verifyJournals(testEnv.db, game.gameId, findings);
  return findings.violations;
}

test.skipIf(IS_CLUSTER)('payments of a run approved before payment details existed wait, and enter no file', async () => {
  expect(await violations()).toEqual([]);
  expect(await sumWaiting(game.db, run)).toEqual([{ method: null, count: run.payableCount, total_usd: run.totals.payable }]);
  const recipients = await listWaitingRecipients(game.db, run, { method: null, limit: 1_000, canSeeEmails: true });
  expect(recipients).toHaveLength(run.payableCount);
  const named = { recipientIds: recipients.map(({ recipientId }) => recipientId), canSeeEmails: true };
  expect(await listNames(game.db, game.gameId, named)).toEqual(new Map(recipients.map(({ recipientId, name }) => [recipientId, name])));
  const shown = { count: 0, total_usd: '0.00' };
  const wanted = { runId: run.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown };
  expect(await makeFiles(game, fiona, PAYEE_KEY, wanted)).toMatchObject({ reason: 'blocked' });
});

test.skipIf(IS_CLUSTER)(
  'they go to payment details that two people confirm later, the others are recorded as paid elsewhere by two people, and the run stays valid',
  async () => {
    const { rows: items } = await testEnv.pool.query<{ item_no: number; id: number }>(
      'select item_no, recipient_player_id as id from payout_item order by item_no',
    );
    const later = items.slice(0, 2);
    for (const { id } of later) {
      const typed = { recipientId: id, method: 'paypal', typed: { email: `later-${id}@creators.example` }, reason: 'From the contract' };
      const proposed = await proposeDetails(game, fiona, PAYEE_KEY, typed);
      if (!proposed.ok) throw new Error(JSON.stringify(proposed));
      const confirmation = await confirmationOf(game, { recipientId: id, detailNo: proposed.detailNo });
      expect(await decideDetails(game, ada, PAYEE_KEY, confirmation)).toMatchObject({ ok: true });
    }
    expect(await sumWaiting(game.db, run)).toMatchObject([
      { method: 'paypal', count: 2 },
      { method: null, count: run.payableCount - 2 },
    ]);
    const { payments, batchNo } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run);
    const file = await openFile(game, ada, PAYEE_KEY, batchNo);
    const accounts = file.ok
      ? file.bytes
          .toString()
          .trimEnd()
          .split('\r\n')
          .map((line) => line.split(',')[0])
      : [];
    expect(accounts).toEqual(later.map(({ id }) => `later-${id}@creators.example`));

    const itemNos = items.slice(2).map(({ item_no }) => item_no);
    const proposed = await proposeElsewhere(game, fiona, {
      runId: run.runId,
      itemNos,
      paidOn: '2026-09-05',
      note: 'By the bank, before Sharebook',
    });
    if (!proposed.ok) throw new Error(proposed.reason);
    const decision = { batchNo: proposed.batchNo, decision: 'confirmed' } as const;
    expect(await decideElsewhere(game, fiona, decision)).toEqual({ ok: false, reason: 'same_person' });
    expect(await decideElsewhere(game, ada, decision)).toEqual({ ok: true });

    const bytes = reportOf(payments.map(({ reference, amount }) => [reference, 'Completed', amount, reference]));
    expect(await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: null, dateOrder: null })).toMatchObject({ ok: true });
    const after = await findOwn(run.runId);
    expect([after.paidAt !== null, after.contentDigest]).toEqual([true, run.contentDigest]);
    const { rows } = await testEnv.pool.query(
      `select count(*) filter (where i.detail_no is not null)::int as to_details, count(*) filter (where i.state = 'paid')::int as paid,
       count(l.detail_no)::int as lines_with_details
     from payout_item i join payout_line l using (game_id, run_id, recipient_player_id)`,
    );
    expect(rows).toEqual([{ to_details: 2, paid: run.payableCount, lines_with_details: 0 }]);
    expect(await violations()).toEqual([]);
  },
);
