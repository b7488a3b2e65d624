import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { seededRandom } from '#lib/evidence/testing/draw-tampers.ts';
import { proofSize, recordFigure } from '#lib/testing/proof.ts';
import { withTampering } from '#lib/testing/tampered-view.ts';
import type { Actor } from '../core/roles.ts';
import { Findings, type Violation } from '../evidence/verify/findings.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { decideProposal, proposeAdjustment } from './adjust-balance.ts';
import { draftRun } from './draft-run.ts';
import { takeStatement } from './draw-statements.ts';
import { placeHold } from './hold-payment.ts';
import { closeMonth, pullAndRecheck, seedFinance } from './testing/close-month.ts';
import { verifyRuns } from './verify-runs.ts';

const COUNT = proofSize(60, 200);
let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  const game = await testEnv.game();
  gameId = game.gameId;
  const [fiona, ada]: Actor[] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  if (fiona === undefined || ada === undefined) throw new Error('nobody works here');
  for (const month of ['2026-08', '2026-09', '2026-10']) await pullAndRecheck(testEnv, month);
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

test('runs as they are stored have no violation', async () => {
  expect(await verify()).toEqual([]);
});

// The columns of approved runs that a person could gain by changing.
const AMOUNTS: Record<string, readonly string[]> = {
  payout_line: [
    'opening_usd',
    'earned_usd',
    'reversed_usd',
    'pinned_usd',
    'adjusted_usd',
    'held_usd',
    'minimum_usd',
    'together_usd',
    'payable_usd',
  ],
  payout_reversal: ['attributed_usd', 'reported_usd', 'taken_before_usd', 'taken_usd'],
  payout_run: ['opening_usd', 'earned_usd', 'reversed_usd', 'pinned_usd', 'adjusted_usd', 'payable_usd', 'closing_usd'],
  payout_adjustment: ['amount_usd'],
};

test(`each of ${COUNT} amounts changed at random in stored runs is named`, async () => {
  const random = seededRandom(20_261_123);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick');
    return item;
  };
  const unnoticed: string[] = [];
  for (let draw = 0; draw < COUNT; draw++) {
    const table = pick(Object.keys(AMOUNTS));
    const column = pick(AMOUNTS[table] ?? []);
    const approved =
      table === 'payout_adjustment' ? 'run_id is not null' : `run_id in (select run_id from payout_run where state = 'approved')`;
    const found = await withTampering(
      testEnv.pool,
      async (client) => {
        // A login that can disable triggers can drop checks.
        const { rows: checks } = await client.query<{ name: string }>(
          `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
          [table],
        );
        for (const { name } of checks) await client.query(`alter table ${table} drop constraint "${name}"`);
        const { rows } = await client.query<{ row: string }>(`select ctid::text as row from ${table} where ${approved} order by ctid`);
        const more = pick(['0.01', '1', '-0.01', '100']);
        await client.query(`update ${table} set ${column} = ${column} + $2 where ctid = $1::tid`, [pick(rows).row, more]);
      },
      verify,
    );
    if (found.length === 0) unnoticed.push(`${table}.${column}`);
  }
  expect(unnoticed).toEqual([]);
  recordFigure('Tampers with payout runs', `${COUNT} of ${COUNT} named`);
});

test.each([
  ['a line that is removed', `delete from payout_line where run_id = (select min(run_id) from payout_run) and payable_usd > 0 returning *`],
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
])('%s is named', async (_, statement) => {
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
