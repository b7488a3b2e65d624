import * as z from 'zod';
import { ACCOUNTS, JOURNAL_KINDS, TRANSFER_KINDS } from '#lib/accounting/rules/journal.ts';
import type { SheetColumn } from '#lib/core/csv.ts';
import { parseInstant } from '#lib/core/instant.ts';
import { parseMoney } from '#lib/core/money.ts';
import { TOTAL_NAMES, TOTALS } from '#lib/evidence/rules/totals.ts';
import { DIGESTED_LINE, DIGESTED_REVERSAL } from '#lib/payouts/rules/digested-rows.ts';

// The files of a pack: what each verification needs as input. Money is exact decimal text, instants are UTC text, digests are hex.

export const PATHS = {
  snapshot: 'evidence/snapshot.json',
  runs: 'history/runs.json',
  closings: 'history/closings.csv',
  taken: 'history/taken.csv',
  historyAdjustments: 'history/adjustments.json',
  run: 'run/run.json',
  content: 'run/content.json',
  lines: 'run/lines.csv',
  reversals: 'run/reversals.csv',
  adjustments: 'run/adjustments.json',
  journals: 'journal/journals.json',
  accounts: 'journal/account-map.json',
  audit: 'audit.json',
} as const;

/** The path of a stored response; `number` counts from 1, control answers first. */
export function responsePath(number: number): string {
  return `evidence/responses/${String(number).padStart(6, '0')}.json.gz`;
}

/** The path of a recipient's statement. */
export function statementPath(playerId: number): string {
  return `statements/${playerId}.csv`;
}

/** The path of the journals in a layout. */
export function journalPath(layout: string): string {
  return `journal/${layout}.csv`;
}

const id = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.string().refine((text) => parseInstant(text) === text, 'an instant ending in Z');
const money = z.string().refine((text) => parseMoney(text) !== null, 'an exact amount');

const response = z.strictObject({
  number: id,
  purpose: z.string(),
  request: z.string(),
  status: z.int(),
  received_at: instant,
  inflated_byte_count: id,
  /** Of the bytes as Invo sent them. */
  sha256: digest,
  /** Names of erased people were left out of the file, so its bytes are others. */
  redacted: z.boolean(),
});
export type PackResponse = z.infer<typeof response>;

const totalOf = { count: id, money, reasons: z.record(z.string(), id), window_count: id.nullable() };
const totals = z.strictObject(Object.fromEntries(TOTAL_NAMES.map((name) => [name, totalOf[TOTALS[name]]])));

export const snapshotFile = z.strictObject({
  snapshot_id: id,
  chain_no: z.int().min(1),
  digest_version: z.int(),
  figures_version: z.int(),
  digest,
  facts_digest: digest.nullable(),
  previous_digest: digest.nullable(),
  created_at: instant,
  window_start: instant,
  window_end: instant,
  covered_until: instant,
  generated_at: instant,
  status: z.string(),
  /** Invo's own ID of the game, which every response repeats. */
  invo_game_id: z.string().nullable(),
  control_window_count: id,
  /** Invo's own totals of the window. */
  totals,
  control_responses: z.array(response),
  slices: z.array(
    z.strictObject({ window_start: instant, window_end: instant, generated_at: instant, digest, totals, responses: z.array(response) }),
  ),
  recipients: z.array(z.strictObject({ recipient_player_id: id, resolved: z.boolean().nullable(), identity_digest: digest.nullable() })),
});
export type SnapshotFile = z.infer<typeof snapshotFile>;

export const runsFile = z.array(z.strictObject({ runId: id, runNo: id, windowStart: instant, windowEnd: instant, contentDigest: digest }));
export type PackRun = z.infer<typeof runsFile>[number];

export const historyAdjustmentsFile = z.array(
  z.strictObject({ adjustmentId: id, periodId: id, amount_usd: money, correctsRunNo: id, includedRunNo: id }),
);
export type HistoryAdjustment = z.infer<typeof historyAdjustmentsFile>[number];

const person = z.string().nullable();
export const runFile = z.strictObject({
  runId: id,
  runNo: id,
  state: z.string(),
  snapshotId: id,
  windowStart: instant,
  windowEnd: instant,
  policyNo: id,
  composedAt: instant.nullable(),
  approvalsWanted: z.int(),
  contentDigest: digest,
  previousContentDigest: digest.nullable(),
  sums: z.strictObject({
    lines: id,
    payable_count: id,
    opening: money,
    earned: money,
    reversed: money,
    pinned: money,
    adjusted: money,
    returned: money,
    payable: money,
    closing: money,
  }),
  /** Payments of earlier runs that failed or came back and are part of it. */
  returned: z.array(
    z.strictObject({
      runNo: id,
      itemNo: id,
      recipientId: id,
      amount_usd: money,
      windowStart: instant,
      hasFailed: z.boolean(),
      occurredOn: z.string().nullable(),
    }),
  ),
  eurRate: z.strictObject({ usd_per_eur: money, source: z.string() }).nullable(),
  draftedBy: person,
  draftedAt: instant.nullable(),
  submittedBy: person,
  submittedAt: instant.nullable(),
  rejectedBy: person,
  rejectReason: z.string().nullable(),
  approvedAt: instant,
  voidRequestedBy: person,
  voidReason: z.string().nullable(),
  closedBy: person,
  closedAt: instant.nullable(),
  approvals: z.array(z.strictObject({ digest, by: z.string(), at: instant, provedAt: instant })),
  editors: z.array(z.strictObject({ by: z.string(), because: z.string(), at: instant })),
  /** Everyone who is named by ID here, by the email the audit names them with. */
  people: z.array(z.strictObject({ id: z.string(), email: z.string() })),
});
export type RunFile = z.infer<typeof runFile>;

/** What an approval covers. Its digest covers every field, so those that nothing is compared with have no shape of their own here. */
export const contentFile = z.looseObject({
  v: z.literal(1),
  rules: z.int().optional(),
  game: z.string(),
  environment: z.string(),
  runNo: id,
  window: z.object({ start: instant, end: instant }),
  snapshotId: id,
  snapshotDigest: digest,
  previous: digest.nullable(),
  policy: z.looseObject({ policyNo: id, secondApprovalFrom_usd: money.nullable() }),
  totals: z.looseObject({ payable: money }),
  lines: digest,
  reversals: digest,
  adjustments: z.array(z.strictObject({ adjustmentId: id, recipientId: id, amount_usd: money, kind: z.string() })),
  composedAt: z.string(),
});

export const adjustmentsFile = z.array(
  z.strictObject({
    adjustmentId: id,
    pairId: id.nullable(),
    recipientId: id,
    amount_usd: money,
    kind: z.string(),
    reason: z.string(),
    correctsRunId: id.nullable(),
    correctsPeriodId: id.nullable(),
    proposedBy: z.string(),
    proposedAt: instant,
    confirmedBy: person,
    confirmedAt: instant.nullable(),
    withdrawnBy: person,
    withdrawnAt: instant.nullable(),
  }),
);
export type PackAdjustment = z.infer<typeof adjustmentsFile>[number];

export const journalsFile = z.array(
  z.strictObject({
    journalNo: z.string(),
    kind: z.enum(JOURNAL_KINDS),
    postedOn: z.string(),
    writtenBy: z.string(),
    writtenAt: instant,
    transfers: z.array(
      z.strictObject({
        kind: z.enum(TRANSFER_KINDS),
        debit: z.enum(ACCOUNTS),
        credit: z.enum(ACCOUNTS),
        exact_usd: money,
        posted_usd: money,
      }),
    ),
  }),
);
export type PackJournal = z.infer<typeof journalsFile>[number];

export const accountsFile = z.strictObject({
  mapNo: id,
  accounts: z.partialRecord(
    z.enum(ACCOUNTS),
    z.strictObject({ code: z.string(), name: z.string(), xero_code: z.string(), xero_tax_rate: z.string(), quickbooks_name: z.string() }),
  ),
});

export const auditFile = z.array(
  z.strictObject({
    audit_id: id,
    at: instant,
    actor: z.string(),
    game_id: id.nullable(),
    act: z.string(),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
    /** The link of the chain of the audit; null: not linked yet. */
    link: z.strictObject({ position: z.int().min(1), previous: digest.nullable(), digest }).nullable(),
  }),
);
export type AuditFileRow = z.infer<typeof auditFile>[number];

/** Columns of text: their cells are IDs, amounts, digests and words of Sharebook, which no program reads as a formula. */
function columnsOf<Key extends string>(...keys: Key[]): (SheetColumn & { key: Key })[] {
  return keys.map((key) => ({ key, label: key, kind: 'count' }));
}

export const LINE_COLUMNS = columnsOf(
  ...DIGESTED_LINE.slice(0, 9),
  'due_usd',
  ...DIGESTED_LINE.slice(9, 13),
  'closing_usd',
  ...DIGESTED_LINE.slice(13),
);
export const REVERSAL_COLUMNS = columnsOf(...DIGESTED_REVERSAL);
export const CLOSING_COLUMNS = columnsOf('recipient_player_id', 'closing_usd');
export const TAKEN_COLUMNS = columnsOf('period_id', 'run_no', 'taken_before_usd', 'taken_usd');

/** The amount in a cell. Throws for anything else. */
export function amountOf(cell: string | null): string {
  const amount = parseMoney(cell);
  if (amount === null) throw new Error(`${JSON.stringify(cell)} is no amount`);
  return amount;
}

/** The ID in a cell. Throws for anything else. */
export function idOf(cell: string | null): number {
  if (cell === null || !/^\d{1,15}$/.test(cell)) throw new Error(`${JSON.stringify(cell)} is no ID`);
  return Number(cell);
}
