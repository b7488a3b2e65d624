import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { handOverAll } from '#e2e/support/payouts/hand-over-all.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '#lib/core/roles.ts';
import { listTasks } from './reads.ts';

let testEnv: TestEnvironment;
let game: TestGame;
let fiona: SessionActor;
let ada: SessionActor;
/** How many payments the run has: all of them are in its file, which was handed over today. */
let paymentCount: number;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-09');
  paymentCount = (await handOverAll(testEnv, { preparer: fiona, approver: ada }, run)).payments.length;
  await testEnv.pool.query('update notice_delivery set seen_at = clock_now() where seen_at is null');
});
afterAll(() => testEnv.close());

const TABLES = [
  'payout_item',
  'payee_detail',
  'payout_batch',
  'payout_run',
  'payout_policy',
  'payout_pause',
  'refund_pause',
  'action_pause',
  'action_limit',
  'payout_approval',
  'refund',
  'desk_action',
  'delivery',
];

/** What waits for Ada after rows were changed as no verb could; each kind with its count unless it is one. */
const waitingAfter = async (...statements: string[]): Promise<string[]> =>
  await withTampering(
    testEnv.pool,
    async (client) => {
      await dropConstraints(client, TABLES);
      for (const statement of statements) await client.query(statement);
    },
    async (view) => {
      const { tasks, unreadCount } = await listTasks(view, { ...game, personId: ada.id, now: game.now(), scope: 'all' });
      const unread = unreadCount === 0 ? [] : [`unread ${unreadCount}`];
      return [...tasks.map(({ kind, count }) => (count === 1 ? kind : `${kind} ${count}`)), ...unread];
    },
  );

const OLD = `update payout_batch set handed_over_at = clock_now() - interval '10 days 1 minute'`;
const NOT_HANDED_OVER = 'update payout_batch set handed_over_by = null, handed_over_at = null';
const item = (state: string, which = 'item_no = 1'): string => `update payout_item set state = '${state}' where ${which}`;
const run = (change: string): string => `update payout_run set ${change}`;
const UNFILED = [item('waiting'), run('exported_at = null')];
const BY_SEPA = `update payee_detail set method = 'sepa'`;
const ONE_BY_SEPA = `${BY_SEPA} where recipient_player_id = (select recipient_player_id from payout_item where item_no = 1)`;
const REISSUE = `insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, replaces_item_no, proposed_by, proposed_at, reason, state)
  select game_id, run_id, 999, recipient_player_id, amount_usd, item_no, (select person_id from payout_editor limit 1), clock_now(), 'x', 'proposed'
  from payout_item where item_no = 1`;
const policy = (no: number, columns: string, values: string): string =>
  `insert into payout_policy (game_id, policy_no, proposed_by${columns}) select game_id, ${no}, (select person_id from payout_editor limit 1)${values} from payout_run`;

const raisedBy = (person: string): string =>
  `insert into action_limit (game_id, name, limit_amount, set_by, raise_amount, raise_by, raise_at)
   select game_id, 'payments_support', 1, 'default', 2, ${person}, clock_now() from payout_run`;

test.each<[string, string[], string[]]>(
  proofCases(4, [
    ['nothing while the payments are under way', [], []],
    ['a payment that failed', [item('failed')], ['payment_back']],
    ['a payment that came back', [item('returned')], ['payment_back']],
    ['no payment that is paid', [item('paid')], []],
    ['all files that nobody handed over', [NOT_HANDED_OVER], ['hand_over']],
    ['no file that is paid by other means', [NOT_HANDED_OVER, 'update payout_batch set format = null'], []],
    ['no cancelled file', [NOT_HANDED_OVER, 'update payout_batch set cancelled_at = clock_now()'], []],
    ['no file whose cancellation is requested', [NOT_HANDED_OVER, 'update payout_batch set cancel_requested_at = clock_now()'], []],
    ['no file of a voided run', [NOT_HANDED_OVER, run(`state = 'void'`)], []],
    ['payments without a file', UNFILED, ['make_files']],
    ['payments that no file takes, since their details changed', [...UNFILED, 'update payout_item set detail_no = 99'], ['no_file']],
    ['payments by SEPA of a run without a rate', [...UNFILED, BY_SEPA], ['no_file']],
    ['payments by SEPA of a run with a rate', [...UNFILED, BY_SEPA, run('usd_per_eur = 1.08')], ['make_files']],
    [
      'payments that a file takes beside those that none takes',
      [...UNFILED, item('waiting', 'item_no = 2'), ONE_BY_SEPA],
      ['make_files', 'no_file'],
    ],
    ['no payment whose re-issue another person must confirm', [...UNFILED, REISSUE], ['reissue']],
    ['no file of a run that was exported', [item('waiting'), run('exported_at = clock_now()')], []],
    ['no file of a run that isn’t approved', [item('waiting'), run(`exported_at = null, state = 'draft', submitted_by = '-'`)], ['draft']],
  ]),
)('payments: %s', async (_, statements, expected) => {
  // The month's own tasks are tested beside.
  expect((await waitingAfter(...statements)).filter((kind) => kind !== 'start_run')).toEqual(expected);
});

test('payments without an answer for ten days wait, whether a bank reported them as pending or not at all', { tags: 'proof' }, async () => {
  expect(await waitingAfter(OLD)).toEqual([`no_answer ${paymentCount}`]);
  expect(await waitingAfter(OLD, item('pending', 'true'))).toEqual([`no_answer ${paymentCount}`]);
  expect(await waitingAfter(OLD, item('paid', 'item_no > 1'))).toEqual(['no_answer']);
  expect(await waitingAfter(OLD, run('paid_at = clock_now()'))).toEqual([]);
  expect((await waitingAfter(OLD, run(`state = 'void'`))).filter((kind) => kind !== 'start_run')).toEqual([]);
});

test.each<[string, string[], string[]]>(
  proofCases(4, [
    ['a proposed policy', [policy(7, '', '')], ['policy']],
    ['no confirmed policy', [policy(7, ', confirmed_by, confirmed_at', `, 'x', clock_now()`)], []],
    ['no withdrawn policy', [policy(7, ', withdrawn_at', ', clock_now()')], []],
    ['a raised limit of desk actions', ['delete from action_limit', raisedBy('(select person_id from payout_editor limit 1)')], ['limit']],
    [
      'nothing that Ada requested herself',
      ['delete from action_limit', raisedBy(`(select id from person where email = 'ada@studio.example')`)],
      [],
    ],
    ['paused payouts', [`insert into payout_pause (game_id, restore_no) select game_id, 1 from payout_run`], ['payouts_paused']],
    [
      'nothing about resumed payouts',
      [`insert into payout_pause (game_id, restore_no, resumed_by, resumed_at) select game_id, 1, 'x', clock_now() from payout_run`],
      [],
    ],
    ['paused refunds', [`insert into refund_pause (game_id, why) select game_id, 'y' from payout_run`], ['refunds_paused']],
    [
      'nothing about resumed refunds',
      [`insert into refund_pause (game_id, why, resumed_at) select game_id, 'y', clock_now() from payout_run`],
      [],
    ],
    ['paused desk actions', [`insert into action_pause (game_id, why) select game_id, 'y' from payout_run`], ['actions_paused']],
    [
      'nothing about resumed desk actions',
      [`insert into action_pause (game_id, why, resumed_at) select game_id, 'y', clock_now() from payout_run`],
      [],
    ],
  ]),
)('the game: %s', async (_, statements, expected) => {
  expect(await waitingAfter(...statements)).toEqual(expected);
});

const DIGEST = `sha256('x')`;
const refund = (state: string, columns = '', values = ''): string =>
  `insert into refund (game_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd, reason_code, facts,
     estimate, baseline_digest, content_digest, state, requested_by, assignee_id, needs_second_approver${columns})
   select game_id, gen_random_uuid(), 'key', '', ${DIGEST}, 'SUB', 1, 1, 1, 'other', '{}', '{}', ${DIGEST}, ${DIGEST}, '${state}', submitted_by, submitted_by, false${values}
   from payout_run`;
const delivery = (state: string, settledAt = 'null'): string =>
  `insert into delivery (game_id, meaning_digest, signed_at, secret_slot, signature_count, body_sha256, body_bytes, state, settled_at)
   select game_id, ${DIGEST}, clock_now(), 'current', 1, ${DIGEST}, 1, '${state}', ${settledAt} from payout_run`;

const action = (state: string, by = 'submitted_by'): string =>
  `insert into desk_action (game_id, kind, repeats, draft_id, subject, player_id, facts, request_digest, content_digest, reason_code, state, requested_by,
     needs_second_approver)
   select game_id, 'card_confirm', 'person', gen_random_uuid(), 'setup x', 1, '{}', ${DIGEST}, ${DIGEST}, 'test', '${state}', ${by}, false from payout_run`;
const ADA = `(select id from person where email = 'ada@studio.example')`;

test.each<[string, string[], string[]]>(
  proofCases(5, [
    ['an unknown refund', [refund('unknown')], ['refund_unknown']],
    ['a refund that is checked', [refund('verifying')], ['refund_unknown']],
    [
      'one that lost its access as what a person must check',
      [refund('verifying', ', last_error_code', `, 'unauthorized'`)],
      ['refund_check'],
    ],
    ['no refund that waits for its turn', [refund('approved')], []],
    ['a desk action whose outcome people record', [action('attention')], ['action_outcome']],
    ['a desk action to approve', [action('awaiting_approval')], ['action_approval']],
    ['an own desk action that awaits approval', [action('awaiting_approval', ADA)], ['action_approval_other']],
    ['an own desk action that is approved', [action('approved', ADA)], ['action_send']],
    ['no approved desk action of another person', [action('approved')], []],
    ['no desk action that Sharebook checks', [action('checking')], []],
    ['a delivery that fails', [delivery('failing')], ['delivery']],
    ['no delivery that a person settled', [delivery('failing', 'clock_now()')], []],
    ['no delivery that was processed', [delivery('processed')], []],
  ]),
)('the desk: %s', async (_, statements, expected) => {
  expect(await waitingAfter(...statements)).toEqual(expected);
});

test('figures that changed after the approval wait until a run that counts follows', { tags: 'proof' }, async () => {
  const drift = `insert into snapshot_drift (game_id, snapshot_id, from_snapshot_id, lines_added, lines_removed, lines_changed, net_change_usd)
    select game_id, snapshot_id, snapshot_id, 1, 0, 0, 1 from current_window`;
  const pulledAfter = 'update snapshot set created_at = clock_now()';
  const approvedBefore = run(`approved_at = clock_now() - interval '1 hour'`);
  const next = (state: string): string[] => [
    `create temp table next_run on commit drop as select * from payout_run`,
    `update next_run set run_id = run_id + 1000, run_no = run_no + 1, previous_run_id = run_id, state = '${state}', window_start = window_end,
       window_end = window_end + interval '1 month', submitted_by = '${ada.id}'`,
    'insert into payout_run overriding system value select * from next_run',
  ];
  expect(await waitingAfter(pulledAfter, approvedBefore), 'the same figures pulled again').toEqual([]);
  expect(await waitingAfter(drift, approvedBefore, pulledAfter)).toEqual(['month_changed']);
  expect(await waitingAfter(drift), 'it was approved with them').toEqual([]);
  expect(await waitingAfter(drift, approvedBefore, pulledAfter, ...next('submitted'))).not.toContain('month_changed');
  expect(await waitingAfter(drift, approvedBefore, pulledAfter, ...next('void'))).toContain('month_changed');
  expect(await waitingAfter(drift, approvedBefore, pulledAfter, run(`state = 'submitted'`))).not.toContain('month_changed');
});

test('a month with a newer snapshot that doesn’t count waits, and a window that is no month doesn’t', async () => {
  const newer = 'update current_window set newer_snapshot_id = snapshot_id';
  expect(await waitingAfter(newer)).toEqual(['month_incomplete']);
  expect(
    await waitingAfter(
      newer,
      `update current_window set window_end = (window_end at time zone 'UTC' - interval '1 day') at time zone 'UTC'`,
    ),
  ).toEqual([]);
});

test('of two approvals that a run needs, who gave the first waits for another person', async () => {
  const first = `insert into payout_approval (game_id, run_id, content_digest, approved_by, approved_at, proved_at) select game_id, run_id, content_digest, $, clock_now(), clock_now() from payout_run`;
  const approvedBy = (id: string): string => first.replace('$', `'${id}'`);
  const removed = 'delete from payout_approval';
  const inReview = run(`state = 'submitted'`);
  expect(await waitingAfter(removed, inReview, approvedBy(ada.id))).toEqual(['approve_other']);
  expect(await waitingAfter(removed, inReview, approvedBy(fiona.id)), 'she can give the second').toEqual(['approve']);
});

test('notices that Ada read aren’t counted', async () => {
  expect(await waitingAfter(`update notice_delivery set seen_at = null where person_id = '${fiona.id}'`)).toEqual([]);
  const { rows } = await testEnv.pool.query<{ count: number }>('select count(*)::int from notice_delivery where person_id = $1', [ada.id]);
  expect(await waitingAfter(`update notice_delivery set seen_at = null where person_id = '${ada.id}'`)).toEqual([
    `unread ${rows[0]?.count}`,
  ]);
});
