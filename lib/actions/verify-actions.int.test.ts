// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { IS_CLUSTER } from '#e2e/citus/test-cluster.ts';
import { type ActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { openWorkerEnvironment, type WorkerEnvironment } from '#e2e/support/actions/worker-environment.ts';
import { changedCell, dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import { erasePlayer } from '../evidence/erase-player.ts';
import { Findings, type Violation } from '../evidence/rules/findings.ts';
import { UNCOVERED, VERIFIED_ACTION_TABLES } from '../evidence/verify/coverage.ts';
import { recordRestore } from '../refunds/writes/restores.ts';
import { approveAction, declineAction } from './approve-action.ts';
import { confirmOutcome, recordOutcome } from './decide-outcome.ts';
import { verifyActions } from './verify-actions.ts';

let testEnv: WorkerEnvironment;
const LINK = { kind: 'payment_link', playerId: PLAYERS.asa } as const;

/**
 * A confirmed payment, a link that two people approved and decided about, and one that nobody sent; a milestone that was recorded, and a sale that was
 * sent and isn't settled.
 */
beforeAll(async () => {
  testEnv = await openWorkerEnvironment();
  const { sam, fiona, gus } = testEnv.people;
  const { context } = testEnv;
  const idOf = (result: Awaited<ReturnType<ActionEnvironment['request']>>): number => (result.ok ? result.actionId : 0);
  await testEnv.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  await testEnv.press(sam, idOf(await testEnv.request(sam, { kind: 'payment_confirm', orderId: 'ORD_BREE_02' })));
  const actionId = idOf(await testEnv.request(sam, LINK, { typed: { usd_amount: '200.00' } }));
  const { contentDigest } = await testEnv.find(actionId);
  await approveAction(context, fiona, { actionId, contentDigest });
  // A restore leaves it to people, because it may have been sent since the backup.
  const { rows } = await testEnv.pool.query(`select lineage, step from database_mark`);
  await recordRestore(testEnv.db, {
    foundBy: 'test',
    mark: rows[0],
    stepSeen: 9,
    why: 'Restored',
    known: null,
  });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'restored' });
  await recordOutcome(context.game, fiona, { actionId, decision: 'done', text: 'Invo shows the link.' });
  expect(await confirmOutcome(context.game, gus, { actionId, decisionNo: 1 })).toEqual({ ok: true });
  await testEnv.pool.query(`update action_pause set resume_requested_by = $1`, [fiona.id]);
  await testEnv.pool.query(`update action_pause set resumed_by = $1, resumed_at = clock_now()`, [gus.id]);
  await testEnv.request(sam, LINK, { typed: { usd_amount: '20.00' } });
  await testEnv.reported();
  await testEnv.settle();
  await testEnv.fail('landed_then_reset');
  await testEnv.sold();
  await testEnv.settle();
});
afterAll(() => testEnv.close());

const violationsOf = async (view: Db): Promise<Violation[]> => {
  const findings = new Findings();
  await verifyActions(view, testEnv.context.game.gameId, findings);
  return findings.violations;
};

test('stored actions follow from the audit', async () => {
  expect(await violationsOf(testEnv.db)).toEqual([]);
});

const ORDER: Record<string, string> = {
  desk_action: 'approved_by is null, action_id',
  desk_action_attempt: 'action_id',
  desk_action_decision: 'action_id',
};
const CHANGED: Record<string, string> = {
  'desk_action.facts': `jsonb_set(facts, '{request}', '{"usd_amount": "201.00"}')`,
  'desk_action.amount': '3',
  'desk_action.result': `'{"session_id": "x"}'`,
  'desk_action_attempt.answer_facts': `'{"status": "x"}'`,
};

test.skipIf(IS_CLUSTER)(
  'each covered column of an action, an attempt and an outcome is named, and so is a removed row',
  { tags: 'proof' },
  async () => {
    const { rows } = await testEnv.pool.query<{ table: string; column: string; type: string }>(
      `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and column_name <> 'game_id' and is_identity = 'NO' order by 1, ordinal_position`,
      [VERIFIED_ACTION_TABLES],
    );
    const covered = rows.filter(({ table, column }) => UNCOVERED[`${table}.${column}`] === undefined);
    expect(covered.length).toBeGreaterThan(30);
    const unnoticed: string[] = [];
    const tryOut = async (name: string, statement: string): Promise<void> => {
      const tamper = async (own: Parameters<typeof dropConstraints>[0]): Promise<void> => {
        await dropConstraints(own, VERIFIED_ACTION_TABLES);
        await own.query(statement);
      };
      const found = await withTampering(testEnv.pool, tamper, violationsOf);
      if (found.length === 0) unnoticed.push(name);
    };
    for (const { table, column, type } of covered) {
      const to = CHANGED[`${table}.${column}`] ?? changedCell(column, type);
      await tryOut(
        `${table}.${column}`,
        `update ${table} set ${column} = ${to} where ctid = (select ctid from ${table} order by ${ORDER[table]} limit 1)`,
      );
    }
    for (const table of VERIFIED_ACTION_TABLES)
      await tryOut(`${table} deleted`, `delete from ${table} where ctid = (select ctid from ${table} order by ${ORDER[table]} limit 1)`);
    expect(unnoticed).toEqual([]);
  },
);

test.each([
  `facts = jsonb_set(facts, '{request, name}', '"another"')`,
  `facts = jsonb_set(facts, '{request, item_quantity}', '4')`,
  `request_bytes = convert_to('{}', 'UTF8')`,
  `reference = reference || '0'`,
  `result = '{"status": "x"}'`,
  `repeats = 'person'`,
  `state = 'not_done'`,
])('a milestone or a sale is named when it has %s', async (set) => {
  const tamper = async (own: Parameters<typeof dropConstraints>[0]): Promise<void> => {
    await dropConstraints(own, VERIFIED_ACTION_TABLES);
    await own.query(`update desk_action set ${set} where repeats = 'worker'`);
  };
  expect(await withTampering(testEnv.pool, tamper, violationsOf)).not.toEqual([]);
});

test('an erasure removes what people wrote with actions that ended, and the rest still follows from the audit', async () => {
  const words = async () =>
    (await testEnv.pool.query(`select state, reason_text is null and ticket is null as "isEmpty" from desk_action order by action_id`))
      .rows;
  await erasePlayer(testEnv.context.game, { playerId: PLAYERS.asa, by: 'test', reason: 'Requested' });
  expect(await words()).toEqual([
    { state: 'done', isEmpty: false },
    { state: 'done', isEmpty: true },
    { state: 'approved', isEmpty: false },
    { state: 'done', isEmpty: true },
    { state: 'unknown', isEmpty: false },
  ]);
  const { rows } = await testEnv.pool.query(`select action_id::int as id from desk_action where state = 'approved'`);
  expect(await declineAction(testEnv.context.game, testEnv.people.sam, rows[0].id, '')).toEqual({ ok: true });
  expect((await words())[2], 'of one that was open, its end removes them').toEqual({ state: 'withdrawn', isEmpty: true });
  expect(await violationsOf(testEnv.db)).toEqual([]);
});
