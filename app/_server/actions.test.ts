import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { FormAction } from './form-action.ts';
import { freshPassword } from './fresh-password.ts';

const APP = path.join(import.meta.dirname, '..');
const FILES = fs
  .globSync('**/*.{ts,tsx}', { cwd: APP })
  .filter((name) => !name.endsWith('.test.ts') && fs.readFileSync(path.join(APP, name), 'utf8').includes(`'use server'`));

/** Every export of every file of actions. A browser can call each of them, whether or not a page shows its form. */
const exported = (
  await Promise.all(
    FILES.toSorted().map(async (name) =>
      Object.entries((await import(path.join(APP, name))) as Record<string, FormAction<z.ZodType, unknown>>).map(([key, action]) => ({
        name: `${path.dirname(name)} ${key}`,
        action,
      })),
    ),
  )
).flat();

function describeAsks({ asks: { who, password } }: FormAction<z.ZodType, unknown>): string {
  if (password === undefined) return who;
  return password === freshPassword ? `${who}, password` : `${who}, password each time`;
}

test('an action file exports nothing but actions that ask first who sends them', () => {
  expect(exported.length).toBeGreaterThan(60);
  expect(fs.globSync('**/actions.ts', { cwd: APP }).filter((name) => !FILES.includes(name))).toEqual([]);
  expect(exported.filter(({ action }) => action.asks === undefined).map(({ name }) => name)).toEqual([]);
});

/** Who may send each action, and whether it requires the password. */
const ASKS = {
  '_pauses resumePayoutsAction': 'payouts.approve, password',
  '[game]/_actions approveActionAction': 'actions.approve, password',
  '[game]/_actions confirmActionOutcomeAction': 'actions.approve, password',
  '[game]/_actions declineActionAction': 'actions.request',
  '[game]/_actions discardActionOutcomeAction': 'actions.request',
  '[game]/_actions pressActionAction': 'actions.request',
  '[game]/_actions recordActionOutcomeAction': 'actions.request',
  '[game]/_actions requestActionAction': 'actions.request',
  '[game]/_actions rereadActionAction': 'actions.request',
  '[game]/_actions askPhoneAction': 'actions.request',
  '[game]/_actions listDestinationsAction': 'actions.request',
  '[game]/_actions moveCoinsAction': 'actions.request',
  '[game]/_actions answerPhoneAction': 'actions.request',
  '[game]/_actions textOwnerAction': 'actions.request',
  '[game]/_actions watchOwnerAction': 'actions.request',
  '[game]/_actions watchPhoneAction': 'actions.request',
  '[game]/_pulls pullMonth': 'pulls.start',
  '_pauses pauseRefundsAction': 'refunds.request',
  '_pauses pauseDeskActionsAction': 'actions.request',
  '_pauses resumeDeskActionsAction': 'actions.approve, password',
  '_pauses resumeRefundsAction': 'refunds.approve, password',
  '[game]/balances readAllAction': 'balances.export',
  '[game]/balances stopBalancesAction': 'balances.export',
  '[game]/months/[month]/close findingAction': 'payouts.prepare',
  '[game]/months/[month]/close noteAction': 'payouts.prepare',
  '[game]/months/[month]/close recalculateAction': 'payouts.prepare',
  '[game]/months/[month]/close startAction': 'payouts.prepare',
  '[game]/months/[month]/close submitAction': 'payouts.prepare',
  '[game]/months/[month]/fees chooseDetailsAction': 'pulls.start',
  '[game]/months/[month]/fees readDetailsAction': 'pulls.start',
  '[game]/months/[month]/open-items noteUnattributedAction': 'pulls.start',
  '[game]/months/_schedule estimateHistoryAction': 'pulls.start',
  '[game]/months/_schedule pausePullsAction': 'pulls.start',
  '[game]/months/_schedule startHistoryAction': 'pulls.start',
  '[game]/payouts/[runNo] approveAction': 'payouts.approve, password',
  '[game]/payouts/[runNo] confirmVoidAction': 'payouts.approve, password',
  '[game]/payouts/[runNo] discardVoidAction': 'payouts.prepare',
  '[game]/payouts/[runNo] rejectAction': 'payouts.approve',
  '[game]/payouts/[runNo] requestVoidAction': 'payouts.prepare',
  '[game]/payouts/[runNo] returnAction': 'payouts.prepare',
  '[game]/payouts/[runNo] returnChangedAction': 'payouts.approve',
  '[game]/payouts/[runNo] voidAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/holds excludeAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/holds findLinesAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/holds placeHoldAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/holds releaseAction': 'payouts.prepare',
  '[game]/payouts/[runNo] postCardFeesAction': 'payouts.prepare',
  '[game]/payouts/[runNo] drawStatementsAction': 'files.export',
  '[game]/payouts/[runNo] setRateAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments closeRunAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments confirmCancelAction': 'payouts.approve, password',
  '[game]/payouts/[runNo]/payments confirmElsewhereAction': 'payouts.approve, password',
  '[game]/payouts/[runNo]/payments confirmReissueAction': 'payouts.approve, password',
  '[game]/payouts/[runNo]/payments createFilesAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments discardCancelAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments handOverAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments openFileAction': 'payouts.prepare, password',
  '[game]/payouts/[runNo]/payments proposeElsewhereAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments proposeReissueAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments requestCancelAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments withdrawElsewhereAction': 'payouts.prepare',
  '[game]/payouts/[runNo]/payments withdrawReissueAction': 'payouts.prepare',
  '[game]/payouts/adjustments confirmAction': 'payouts.approve, password',
  '[game]/payouts/adjustments proposeAction': 'payouts.prepare',
  '[game]/payouts/adjustments withdrawAction': 'payouts.prepare',
  '[game]/payouts/payees confirmDetailsAction': 'payouts.approve, password',
  '[game]/payouts/payees proposeDetailsAction': 'payouts.prepare',
  '[game]/payouts/payees showDetailsAction': 'payees.show, password',
  '[game]/payouts/payees withdrawDetailsAction': 'payouts.prepare',
  '[game]/payouts/reports acceptRowAction': 'payouts.prepare',
  '[game]/payouts/reports downloadReportAction': 'payees.show, password',
  '[game]/payouts/reports setForeignAsideAction': 'payouts.prepare',
  '[game]/payouts/reports setRowAsideAction': 'payouts.prepare',
  '[game]/payouts/reports showRowsAction': 'payees.show, password',
  '[game]/payouts/senders confirmSenderAction': 'payouts.approve, password',
  '[game]/payouts/senders proposeSenderAction': 'payouts.prepare',
  '[game]/payouts/senders showSenderAction': 'payees.show, password',
  '[game]/payouts/senders withdrawSenderAction': 'payouts.prepare',
  '[game]/periods/[periodId]/refund requestRefundAction': 'refunds.request',
  '[game]/players/[playerId] readPartAction': 'desk.read',
  '[game]/players/[playerId] showVaultAction': 'actions.request',
  '[game]/recipients/[playerId] setMinimumAction': 'payouts.prepare',
  '[game]/refunds/[refundId] approveAction': 'refunds.request, password',
  '[game]/refunds/[refundId] assignAction': 'refunds.request',
  '[game]/refunds/[refundId] confirmOutcomeAction': 'refunds.approve, password',
  '[game]/refunds/[refundId] declineAction': 'refunds.request',
  '[game]/refunds/[refundId] dropOutcomeAction': 'refunds.request',
  '[game]/refunds/[refundId] readPeriodAction': 'refunds.request',
  '[game]/refunds/[refundId] recordOutcomeAction': 'refunds.request',
  '[game]/subscriptions/[subscriptionId]/_change cancelAction': 'subscriptions.change',
  '[game]/subscriptions/[subscriptionId]/_change cardAction': 'subscriptions.change',
  '[game]/subscriptions/[subscriptionId]/_change priceAction': 'subscriptions.change',
  '[game]/webhooks checkSetUpAction': 'deliveries.settle',
  '[game]/webhooks readAgainAction': 'deliveries.settle',
  '[game]/webhooks settleAction': 'deliveries.settle',
  '_account confirmSetUpAction': 'self',
  '_account renewBackupCodesAction': 'self, password each time',
  '_account setShortcutsAction': 'self',
  '_account startSetUpAction': 'self, password',
  '_account turnOffAction': 'self, password each time',
  '_shell signOut': 'anyone',
  '_shell searchAction': 'figures.read',
  'notices markAllReadAction': 'notices.read',
  'notices markReadAction': 'notices.read',
  'notices setReachesAction': 'notices.read',
  'set-up setUp': 'anyone',
  'settings addPersonAction': 'people.manage, password',
  'settings approveRolesAction': 'refunds.approve, password',
  'settings changeRolesAction': 'people.manage, password',
  'settings confirmPersonAction': 'figures.read, password',
  'settings declineRolesAction': 'figures.read, password',
  'settings disablePersonAction': 'people.manage, password',
  'settings enablePersonAction': 'people.manage, password',
  'settings newLinkAction': 'people.manage, password',
  'settings resetFactorAction': 'people.manage, password',
  'settings/accounts/[game] setAccountsAction': 'payouts.prepare',
  'settings/desk-actions/[game] addMilestoneAction': 'people.manage',
  'settings/desk-actions/[game] confirmSwitchAction': 'actions.approve, password',
  'settings/desk-actions/[game] declineSwitchAction': 'figures.read, password',
  'settings/desk-actions/[game] setSendFlowAction': 'people.manage',
  'settings/desk-actions/[game] addHouseAccountAction': 'people.manage',
  'settings/desk-actions/[game] confirmHouseAccountAction': 'actions.approve, password',
  'settings/desk-actions/[game] removeHouseAccountAction': 'figures.read',
  'settings/desk-actions/[game] removeMilestoneAction': 'people.manage',
  'settings/desk-actions/[game] turnOffGroupAction': 'people.manage',
  'settings/desk-actions/[game] turnOnGroupAction': 'people.manage, password',
  'settings/_limits approveRaiseAction': 'refunds.approve, password',
  'settings/_limits changeLimitsAction': 'people.manage, password',
  'settings/_limits declineRaiseAction': 'figures.read, password',
  'settings/games confirmPolicyAction': 'payouts.approve, password',
  'settings/games proposePolicyAction': 'payouts.prepare',
  'settings/games withdrawPolicyAction': 'payouts.prepare',
  'settings requireFactorAction': 'people.manage, password',
  'sign-in signIn': 'anyone',
  'sign-in signInAsDemoPerson': 'anyone',
  'sign-in enterCode': 'anyone',
};

test('each action requires its right, and one that approves or changes rights, links, limits or second factors also a fresh password', () => {
  expect(Object.fromEntries(exported.map(({ name, action }) => [name, describeAsks(action)]))).toEqual(ASKS);
});

/** The column in which each number of a form ends; null: it ends in none, or its action checks its range. A tuple has indexes: a run, or a player. */
const COLUMNS: Readonly<Record<string, string | null>> = {
  1: 'payout_run.run_id',
  adjustmentId: 'payout_adjustment.adjustment_id',
  after: 'payment_report_row.row_no',
  batchNo: 'payout_batch.batch_no',
  cardId: null,
  changePercent: null,
  decisionNo: 'refund_decision.decision_no',
  deliveryId: 'delivery.delivery_id',
  detailNo: 'payee_detail.detail_no',
  gameId: 'notice.game_id',
  holdId: 'payout_hold.hold_id',
  itemId: 'unattributed_renewal.item_id',
  itemNo: 'payout_item.item_no',
  itemNos: 'payout_item.item_no',
  reissueNo: 'payout_item.item_no',
  shownCount: null,
  job: 'balance_job.balance_job_id',
  map_no: 'account_map.map_no',
  months: null,
  actionId: 'desk_action.action_id',
  houseAccountId: 'house_account.house_account_id',
  noticeId: 'notice.notice_id',
  periodId: 'refund.period_id',
  playerId: 'snapshot_recipient.recipient_player_id',
  policyNo: 'payout_policy.policy_no',
  recheckHours: null,
  recipientId: 'snapshot_recipient.recipient_player_id',
  recipientIds: 'snapshot_recipient.recipient_player_id',
  refundId: 'refund.refund_id',
  reportNo: 'payment_report.report_no',
  rowNo: 'payment_report_row.row_no',
  runId: 'payout_run.run_id',
  runNo: 'payout_run.run_no',
  senderNo: 'payout_sender.sender_no',
  version: 'payout_run.version',
};
const SCHEMA = fs.readFileSync(path.join(APP, '../db/schema.sql'), 'utf8');

function highestOf(column: string): number {
  const [table = '', name = ''] = column.split('.');
  const type = new RegExp(`^create table ${table} \\([^;]*?^  ${name} (integer|bigint)\\b`, 'm').exec(SCHEMA)?.[1];
  if (type === undefined) throw new Error(`${column} is no column with whole numbers`);
  return type === 'integer' ? 2_147_483_647 : Number.MAX_SAFE_INTEGER;
}

/** The entries of a form that become numbers, by their names. */
function listNumbers(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  if (def.type === 'pipe') return listNumbers(def.in);
  const entries = def.type === 'object' ? Object.entries(def.shape) : def.type === 'tuple' ? Object.entries(def.items) : [];
  return entries.filter(([, entry]) => read(entry, 7) !== null).map(([name, entry]) => [name, entry]);
}

/** The numbers that an entry becomes when one is sent, as text or as a number; null: none, or it is refused. */
function read(entry: z.core.$ZodType, sent: number): number[] | null {
  for (const value of [String(sent), sent]) {
    const parsed = (entry as z.ZodType).safeParse(value);
    const numbers = parsed.success ? [parsed.data].flat().filter((each) => typeof each === 'number') : [];
    if (numbers.length > 0) return numbers;
  }
  return null;
}

test('no number of a form is more than its column holds', () => {
  const sent = exported.flatMap(({ name, action }) => listNumbers(action.asks.schema).map(([field, entry]) => ({ name, field, entry })));
  expect(sent.length).toBeGreaterThan(80);
  const accepted = sent.flatMap(({ name, field, entry }) => {
    const column = COLUMNS[field];
    if (column === undefined) return [`${name}: name the column of ${field}`];
    if (column === null) return [];
    const beyond = highestOf(column) + 1;
    return [beyond, -beyond - 1].filter((number) => read(entry, number) !== null).map((number) => `${name}: ${field} can be ${number}`);
  });
  expect(accepted).toEqual([]);
});
