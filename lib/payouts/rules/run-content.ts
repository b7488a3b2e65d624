import { digestOf } from '#lib/core/canonical-digest.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import type { ReturnedItem } from '#lib/payments/rules/item-state.ts';
import type { CheckItem } from './close-input.ts';
import { type RunTotals, totalsOf } from './compose-run.ts';
import type { EurRate, PayoutPolicy } from './policy.ts';

/** The states of a payout run. `void` ends it; the month can have another one. */
export const RUN_STATES = ['draft', 'submitted', 'rejected', 'approved', 'void'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** How far a run is: its state, and once it is approved how far its payments are. */
const RUN_PROGRESS = [...RUN_STATES, 'exported', 'paid', 'closed'] as const;
export type RunProgress = (typeof RUN_PROGRESS)[number];

/** Parses how far a run is, as a statement derives it. Throws for any other text. */
export function parseRunProgress(text: string): RunProgress {
  return parseEnum(RUN_PROGRESS, text);
}

/** How far a run is by its stored facts. */
export function progressOf(run: {
  state: RunState;
  exportedAt: string | null;
  paidAt: string | null;
  closedAt: string | null;
}): RunProgress {
  if (run.state !== 'approved') return run.state;
  if (run.closedAt !== null) return 'closed';
  if (run.paidAt !== null) return 'paid';
  return run.exportedAt === null ? 'approved' : 'exported';
}

/** Parses a stored state. Throws for any other text. */
export function parseRunState(text: string): RunState {
  return parseEnum(RUN_STATES, text);
}

/** Parses the number of a run, as an address has it; null for any other text. */
export function parseRunNo(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

/** A note as an approver sees it. */
export interface RunNote {
  checkKey: string;
  facts: string;
  note: string;
  notedBy: string;
  notedAt: string;
}

/** What a person found out about renewals without attribution, as an approver sees it. */
export interface Finding {
  reason: string;
  renewalCount: number;
  conclusion: string;
  note: string;
  foundBy: string;
  foundAt: string;
}

/** The rules a run is composed by. 4: payments that failed or came back are due again; 3: a line is paid to payment details, and isn't paid without any; 2: adjustments of a changed month count as deducted of the period they name; 1 counted runs alone. */
export const RULES_VERSION = 4;

/** The first rules by which a line that pays names its payment details. */
export const DETAILS_SINCE = 3;

/**
 * Version 1 of everything an approval covers. Rows are covered by digests, the rest is written out. Stored as it was submitted; its SHA-256 links the
 * runs of a game like the snapshots are linked.
 */
export interface RunContent {
  v: 1;
  /** The rules by which it was composed, `RULES_VERSION`; left out: 1. */
  rules?: number;
  game: string;
  environment: string;
  runNo: number;
  window: Window;
  snapshotId: number;
  snapshotDigest: string;
  /** Content digest of the run before; null: the first. */
  previous: string | null;
  policy: PayoutPolicy & { policyNo: number };
  totals: RunTotals;
  lineCount: number;
  payableCount: number;
  /** Hex SHA-256 over all lines and all reversals. */
  lines: string;
  reversals: string;
  holds: { holdId: number; recipientId: number; periodId: number | null; amount_usd: string | null; reason: string }[];
  adjustments: { adjustmentId: number; recipientId: number; amount_usd: string; kind: string }[];
  /** Payments of earlier runs that failed or came back and are paid again; left out by rules before 4. */
  returned?: ReturnedItem[];
  checks: Pick<CheckItem, 'key' | 'group' | 'count' | 'amount_usd' | 'held_usd' | 'facts'>[];
  notes: RunNote[];
  findings: Finding[];
  composedAt: string;
  /** Left out: no payment is converted. */
  eurRate?: EurRate;
}

/** The content with its amounts in one form, whatever number of decimals the sums have. */
export function normalizeContent(content: RunContent): RunContent {
  return { ...content, totals: totalsOf((amount) => normalizeMoney(content.totals[amount])) };
}

/** Hex SHA-256 of a content: what an approval is bound to. */
export function digestContent(content: RunContent): string {
  return digestOf(content).toString('hex');
}
