// @module-tag no-retry
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { IS_CLUSTER, inUtc } from '#e2e/citus/test-cluster.ts';
import { type Draw, drawBy, seededRandom } from '#e2e/support/evidence/draw-tampers.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { proofCases, proofSize, recordFigure } from '#e2e/support/proof.ts';
import { changedCell, dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings, type Violation } from '../evidence/rules/findings.ts';
import { UNCOVERED, VERIFIED_PAYOUT_TABLES } from '../evidence/verify/coverage.ts';
import { decideProposal, proposeAdjustment } from './adjust-balance.ts';
import { draftRun } from './draft-run.ts';
import { takeStatement } from './draw-statements.ts';
import { placeHold } from './hold-payment.ts';
import { verifyRuns } from './verify-runs.ts';

const COUNT = proofSize(12, 200);
let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09', '2026-10');
  const game = await testEnv.game();
  gameId = game.gameId;
  const [fiona, ada]: SessionActor[] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  if (fiona === undefined || ada === undefined) throw new Error('nobody works here');
  const people = { preparer: fiona, approver: ada };
  const first = await closeMonth(testEnv, people, '2026-08');
  const { rows } = await testEnv.pool.query<{ id: number }>(
    'select recipient_player_id as id from payout_line where run_id = $1 order by payable_usd desc limit 2',
    [first.runId],
  );
  const [held, adjusted] = rows.map(({ id }) => id);
  if (held === undefined || adjusted === undefined) throw new Error('nobody was paid');
  await placeHold(game, fiona, { recipientIds: [held], periodId: null, amount: '5', reason: 'dispute', note: 'Chargeback', expiresAt: '' });
  const typed = {
    recipientId: adjusted,
    amount: '2.50',
    kind: 'correction',
    reason: 'July',
    runNo: 1,
    periodId: null,
    toRecipientId: null,
  };
  const proposed = await proposeAdjustment(game, fiona, typed);
  if (!proposed.ok) throw new Error(proposed.reason);
  await decideProposal(game, ada, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' });
  await closeMonth(testEnv, people, '2026-09');
  await draftRun(game, fiona, '2026-10');
  await takeStatement(game, { runNo: 1, playerId: adjusted, format: 'pdf' }, 'fiona');
});
afterAll(() => testEnv.close());

async function verify(view: Db = testEnv.db): Promise<Violation[]> {
  const findings = new Findings();
  expect(await verifyRuns(view, gameId, findings)).toBe(3);
  return findings.violations;
}

/** Runs and journals, however many are left. */
async function verifyAll(view: Db): Promise<Violation[]> {
  const findings = new Findings();
  await verifyRuns(view, gameId, findings);
  await verifyJournals(view, gameId, findings);
  return findings.violations;
}

test('runs as they are stored have no violation', async () => {
  expect(await verify()).toEqual([]);
});

/** Rows of runs that were approved, and of what was posted and adjusted with them. */
const APPROVED = `run_id in (select run_id from payout_run where state = 'approved')`;
const ROWS: Record<(typeof VERIFIED_PAYOUT_TABLES)[number], string> = {
  payout_run: `state = 'approved'`,
  payout_line: APPROVED,
  payout_reversal: APPROVED,
  payout_adjustment: 'run_id is not null',
  payout_approval: APPROVED,
  payout_editor: 'true',
  journal_entry: 'true',
  journal_transfer: 'true',
};

/** These texts are from a list. */
const LISTED: Record<string, string> = {
  'payout_run.state': `'draft'`,
  'payout_line.outcome': `case outcome when 'excluded' then 'on_hold' else 'excluded' end`,
  'payout_editor.because': `case because when 'noted' then 'found' else 'noted' end`,
  'payout_adjustment.kind': `'goodwill'`,
  'journal_entry.kind': `case kind when 'accrual' then 'reversal' else 'accrual' end`,
  'journal_transfer.kind': `'paid_elsewhere'`,
};

async function drawTamper(client: pg.PoolClient, pick: Draw): Promise<string> {
  const { rows: columns } = await client.query<{ table: keyof typeof ROWS; column: string; type: string }>(
    `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and is_generated = 'NEVER' and column_name <> 'game_id' order by 1, ordinal_position`,
    [VERIFIED_PAYOUT_TABLES],
  );
  const table = pick(VERIFIED_PAYOUT_TABLES);
  const { rows } = await client.query<{ row: string }>(`select ctid::text as row from ${table} where ${ROWS[table]} order by ctid`);
  const { row } = pick(rows);
  if (pick([true, false, false, false])) {
    await client.query(`delete from ${table} where ctid = $1::tid`, [row]);
    return `${table} deleted`;
  }
  const { column, type } = pick(columns.filter((each) => each.table === table && UNCOVERED[`${table}.${each.column}`] === undefined));
  const isIdentity = ['run_id', 'adjustment_id'].includes(column);
  if (isIdentity) await client.query(`alter table ${table} alter column ${column} drop identity if exists`);
  await client.query(`update ${table} set ${column} = ${LISTED[`${table}.${column}`] ?? changedCell(column, type)} where ctid = $1::tid`, [
    row,
  ]);
  return `${table}.${column}`;
}

test.skipIf(IS_CLUSTER)(
  `each of ${COUNT} rows of runs, journals and adjustments is named, changed in a covered column or deleted at random`,
  {
    tags: 'proof',
  },
  async () => {
    const pick = drawBy(seededRandom(20_261_123));
    const unnoticed: string[] = [];
    for (let draw = 0; draw < COUNT; draw++) {
      let what = '';
      const found = await withTampering(
        testEnv.pool,
        async (client) => {
          await dropConstraints(client, VERIFIED_PAYOUT_TABLES);
          what = await drawTamper(client, pick);
        },
        async (view) => await verifyAll(view),
      );
      if (found.length === 0) unnoticed.push(what);
    }
    expect(unnoticed).toEqual([]);
    recordFigure('Tampers with payout runs', `${COUNT} of ${COUNT} named`);
  },
);

test.each(
  proofCases(4, [
    ['an approved run', `delete from payout_run where run_no = 2 returning *`, 'run_is_stored'],
    [
      'every editor of a run',
      `delete from payout_editor where run_id = (select min(run_id) from payout_run) returning *`,
      'run_editor_is_recorded',
    ],
    [
      'the preparer of a run',
      `update payout_run set submitted_by = a.approved_by, drafted_by = a.approved_by from payout_approval a
       where a.game_id = payout_run.game_id and a.run_id = payout_run.run_id and run_no = 1 returning payout_run.*`,
      'run_draftedBy',
    ],
    [
      'the times of a run',
      `update payout_run set drafted_at = drafted_at - interval '40 days', submitted_at = submitted_at - interval '40 days' where run_no = 1 returning *`,
      'run_submittedAt',
    ],
    [
      'the time of an approval, by more than ten minutes,',
      `update payout_approval set approved_at = approved_at + interval '11 minutes', proved_at = proved_at + interval '11 minutes' returning *`,
      'run_approval_at',
    ],
    ['every adjustment', `delete from payout_adjustment returning *`, 'adjustment_is_stored'],
    [
      'who posted a journal',
      `update journal_entry set written_by = (select drafted_by from payout_run limit 1) returning *`,
      'journal_written_by',
    ],
    [
      'the newest journal',
      `delete from journal_entry where entry_no = (select max(entry_no) from journal_entry) returning *`,
      'journal_is_stored',
    ],
  ]),
)('%s changed or removed is named by what the audit has', async (_, statement, name) => {
  const found = await withTampering(
    testEnv.pool,
    async (client) => {
      await dropConstraints(client, VERIFIED_PAYOUT_TABLES);
      expect((await client.query(inUtc(statement))).rows.length).toBeGreaterThan(0);
    },
    verifyAll,
  );
  expect(found.map((violation) => violation.name)).toContain(name);
});

test.each(
  proofCases(3, [
    [
      'a line that is removed',
      `delete from payout_line where run_id = (select min(run_id) from payout_run) and payable_usd > 0 returning *`,
    ],
    [
      'an outcome that is changed',
      `update payout_line set outcome = 'excluded' where run_id = (select min(run_id) from payout_run) and outcome = 'below_minimum' returning *`,
    ],
    ['an approval that is removed', `delete from payout_approval returning *`],
    [
      'a content that is changed',
      `update payout_run set content = jsonb_set(content, '{totals,payable}', '"1.00"') where state = 'approved' returning *`,
    ],
    [
      'an approver who turns out to have worked on it',
      `insert into payout_editor (game_id, run_id, person_id, because) select game_id, run_id, approved_by, 'noted' from payout_approval returning *`,
    ],
  ]),
)('%s is named', async (_, statement) => {
  const found = await withTampering(
    testEnv.pool,
    async (client) => expect((await client.query(statement)).rows.length).toBeGreaterThan(0),
    verify,
  );
  expect(found.length).toBeGreaterThan(0);
});

test('a stored statement whose bytes changed is named', async () => {
  const found = await withTampering(
    testEnv.pool,
    async (client) => {
      const { rows: checks } = await client.query<{ name: string }>(
        `select conname as name from pg_constraint where conrelid = 'recipient_statement'::regclass and contype = 'c'`,
      );
      for (const { name } of checks) await client.query(`alter table recipient_statement drop constraint "${name}"`);
      const { rowCount } = await client.query(`update recipient_statement set pdf = pdf || '\\x20'`);
      expect(rowCount).toBe(1);
    },
    verify,
  );
  expect(found).toMatchObject([{ name: 'statement_digest', subject: expect.stringMatching(/^run 1, statement of recipient/) }]);
});
