import { compareInstants, fromMicroseconds, laterOf, toMicroseconds } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { SenderMethod } from '#lib/payments/rules/sender-entries.ts';
import type { HeldPeriod } from './compose-run.ts';
import type { LineFacts, NamedLine } from './decide-line.ts';
import type { DecidedReversal, DriftedPeriod } from './decide-reversal.ts';
import type { EurRate, PayoutPolicy } from './policy.ts';

/** A recipient with the name Invo last reported; null: none. */
type NamedRecipient = Pick<NamedLine, 'recipientId' | 'name'>;

/** A line of a run with what it is compared with. */
export interface CloseLine
  extends Pick<NamedLine, 'recipientId' | 'name' | 'due_usd' | 'held_usd' | 'payable_usd' | 'outcome' | 'detailNo'>,
    Pick<LineFacts, 'identityId'> {
  /** Earned less deducted in the month. */
  net_usd: string;
  /** The same in the run before; null: no run precedes, or it has no line of the recipient. */
  lastNet_usd: string | null;
  /** An earlier run paid the recipient. */
  wasPaid: boolean;
}

export type CloseReversal = Omit<DecidedReversal, 'attributed_usd'> & Pick<NamedLine, 'name'>;

/** A period of the month that a draft holds, or held until it was released. */
export interface ClosePeriod extends NamedRecipient, Pick<HeldPeriod, 'periodId' | 'attributed_usd'> {
  /** Held now. */
  held_usd: string;
}

/** Invo's newest answer about a month, and whether a request is running. */
export interface NewestAnswer {
  /** The newest re-check of the snapshot, or of a later one of its month; null: none. */
  recheck: { checkedAt: string; isEqual: boolean } | null;
  /** A pull of the month that is queued or running (`active`), or one that failed since the re-check; null: neither. */
  pull: { pullId: number; state: 'active' | 'failed' } | null;
}

export interface CloseFacts extends NewestAnswer {
  policy: PayoutPolicy;
  window: Window;
  now: string;
  /** Minutes after the end of the window from which a re-check counts. */
  recheckFrom_minutes: number;
  status: 'complete' | 'open' | 'inconsistent';
  /** A newer complete snapshot has other figures, or a newer one doesn't reconcile. */
  isContradicted: boolean;
  /** Whether the run before ends where this one starts. */
  precedes: 'first' | 'approved' | 'missing';
  earnedTwice: (NamedRecipient & { periodId: number; runNo: number; attributed_usd: string })[];
  reversals: CloseReversal[];
  /** `facts`: hex SHA-256 over the slices that have them; `foundCount`: those that findings about these very renewals answer. */
  unattributed: { reason: string; count: number; foundCount: number; facts: string }[];
  warnings: { name: string; expected: string; actual: string }[];
  baseMismatches: ClosePeriod[];
  openRefunds: ClosePeriod[];
  /** What closed months still owe, or are owed. */
  drift: DriftedPeriod[];
  lines: CloseLine[];
  paidDetails: PaidDetails[];
  /** USD that the run pays by each method that needs a sender account and has none in force. */
  missingSenders: { method: SenderMethod; payable_usd: string }[];
  /** The rate that SEPA payments are converted at; null: none. */
  eurRate: EurRate | null;
  netsToZeroCount: number;
  /** Holds released or expired since the run before. */
  endedHolds: (NamedRecipient & { holdId: number })[];
  unconfirmedAdjustments: (NamedRecipient & { amount_usd: string })[];
  /** Confirmed, and no run will include them. */
  strandedAdjustments: (NamedRecipient & { amount_usd: string })[];
  /** Card fees on refunds from the month's detail reports; null: not read. */
  cardFees: { readCount: number; count: number; amount_usd: string } | null;
  /** Notes of the run, by key and facts. */
  notes: { checkKey: string; facts: string }[];
}

/** Payment details that a line pays to, and that ask for a look: changed since the recipient's last payment, an account that several identities share, or SEPA, which needs a rate. */
export interface PaidDetails {
  recipientId: number;
  name: string | null;
  detailNo: number;
  /** The method, and the account masked. */
  account: string;
  payable_usd: string;
  proposedBy: string;
  confirmedBy: string;
  isChanged: boolean;
  isShared: boolean;
  isSepa: boolean;
}

/** What an item of the close requires: it blocks submission, needs a note, is held, or only informs. */
export type CheckGroup = 'blocks' | 'note' | 'held' | 'info';

/** One row behind an item: its subject and the amounts that show it. */
export interface CheckRow {
  recipientId?: number;
  name?: string | null;
  periodId?: number;
  runNo?: number;
  /** What it is about when it is none of these: the name of a check, a reason. */
  about?: string;
  /** Payment details: their number, and the account masked. */
  details?: { detailNo: number; account: string };
  /** How payments are made. */
  method?: SenderMethod;
  /** Who proposed and who confirmed it. */
  people?: string;
  /** By the names of `CheckFigure`. */
  figures: Partial<Record<CheckFigure, string>>;
}
export type CheckFigure =
  | 'expected'
  | 'actual'
  | 'attributed'
  | 'held'
  | 'reported'
  | 'already_deducted'
  | 'deducted'
  | 'last_month'
  | 'change'
  | 'due'
  | 'payable'
  | 'net_change'
  | 'reported_then'
  | 'reported_now'
  | 'deducted_so_far';

/** One item of the close. */
export interface CheckItem {
  key: string;
  group: CheckGroup;
  count: number;
  /** USD; null: no single amount fits. */
  amount_usd: string | null;
  /** USD held for it; null: nothing is held. */
  held_usd: string | null;
  /** What a person writes to answer it; null: it can only be resolved, or needs no answer. */
  answer: 'note' | 'finding' | null;
  /** A note for these facts, or findings that cover them, are stored. */
  isAnswered: boolean;
  /** Hex SHA-256 over everything the item is about: a note answers these facts and no others. */
  facts: string;
  /** At most 20 of them. */
  rows: CheckRow[];
}

/** The figures of an item beside its rows. */
export interface ItemExtra {
  count?: number;
  amount_usd?: string;
  held_usd?: string;
  isAnswered?: boolean;
  answer?: 'finding';
  /** What the item is about beside its rows: other facts ask for another note. */
  about?: string;
}
/** Adds an item to a close. */
export type Add = (key: string, group: CheckGroup, rows: CheckRow[], extra?: ItemExtra) => void;

/** The first instant at which a re-check of a window counts: the settle lag and what Invo may take to settle have passed. */
export function recheckFrom({ window, recheckFrom_minutes }: Pick<CloseFacts, 'window' | 'recheckFrom_minutes'>): string {
  return fromMicroseconds(toMicroseconds(window.end) + BigInt(recheckFrom_minutes) * 60_000_000n);
}

/**
 * `current`: the newest re-check found the same totals, late enough after the month and recently enough. Otherwise `pulling`: a pull of the month is
 * queued or running; `differs`: the newest re-check found other totals; `pull_failed`: a pull failed since; `needed`: no re-check, or too early or old.
 */
export type RecheckState = 'current' | 'needed' | 'pulling' | 'differs' | 'pull_failed';

/** The item of the close for each state: the key under which its text is found. */
export const RECHECK_ITEMS: Readonly<Record<RecheckState, string>> = {
  current: 'rechecked',
  needed: 'rechecked',
  pulling: 'pull_active',
  differs: 'recheck_differs',
  pull_failed: 'pull_failed',
};

export type RecheckFacts = Pick<CloseFacts, 'window' | 'recheckFrom_minutes' | 'recheck' | 'pull' | 'now'> & {
  policy: Pick<PayoutPolicy, 'recheckHours'>;
};

/** Decides whether Invo's newest answer about a month lets its run be submitted and approved. */
export function judgeRecheck(facts: RecheckFacts): RecheckState {
  const { recheck, pull, now, policy } = facts;
  if (pull?.state === 'active') return 'pulling';
  if (recheck?.isEqual === false) return 'differs';
  if (pull?.state === 'failed') return 'pull_failed';
  const earliest = fromMicroseconds(toMicroseconds(now) - BigInt(policy.recheckHours) * 3_600_000_000n);
  const start = laterOf(earliest, recheckFrom(facts));
  return recheck !== null && compareInstants(recheck.checkedAt, start) >= 0 ? 'current' : 'needed';
}
