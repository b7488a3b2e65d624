import { digestOf } from '#lib/core/canonical-digest.ts';
import {
  absoluteMoney,
  compareMoney,
  multiplyMoney,
  negateMoney,
  normalizeMoney,
  signOfMoney,
  subtractMoney,
  sumMoney,
} from '#lib/core/money.ts';
import {
  type Add,
  type CheckGroup,
  type CheckItem,
  type CheckRow,
  type CloseFacts,
  type CloseLine,
  type ClosePeriod,
  type CloseReversal,
  type ItemExtra,
  judgeRecheck,
  RECHECK_ITEMS,
} from './close-input.ts';
import type { DriftedPeriod } from './decide-reversal.ts';
import type { PayoutPolicy } from './policy.ts';

/** Invo's reasons for a renewal without attribution, and what the close requires for each. Any other reason blocks. */
const REASON_GROUPS: Readonly<Record<string, CheckGroup>> = {
  spend_order_not_found: 'blocks',
  attribution_not_recorded: 'note',
  attribution_malformed: 'note',
  no_revenue_share_configured: 'info',
};

/** Rows of an item that a screen lists. */
const ROWS_MAX = 20;

export interface Close {
  items: CheckItem[];
  /** Checks that block nothing, by key, in order. */
  passed: string[];
  isBlocked: boolean;
  /** Items that block submission. */
  openBlocks: number;
  /** Items that need a note and have none. */
  openNotes: number;
}

/** Judges the close of a month: what blocks the run, what needs a note, what is held, and what else to know. The order of its facts changes nothing. */
export function judgeClose(facts: CloseFacts): Close {
  const { policy, lines } = facts;
  const notes = new Set(facts.notes.map(({ checkKey, facts: seen }) => `${checkKey} ${seen}`));
  const [items, passed]: [CheckItem[], string[]] = [[], []];
  const add = (key: string, group: CheckGroup, rows: CheckRow[], extra: ItemExtra = {}): void => {
    const count = extra.count ?? rows.length;
    if (count === 0) {
      if (group === 'blocks') passed.push(key);
      return;
    }
    const about = extra.about === undefined ? {} : { about: extra.about };
    const digest = digestOf({ key, count, rows: digestedRows(rows), amount: extra.amount_usd ?? null, ...about }).toString('hex');
    items.push({
      key,
      group,
      count,
      amount_usd: extra.amount_usd === undefined ? null : normalizeMoney(extra.amount_usd),
      held_usd: extra.held_usd === undefined ? null : normalizeMoney(extra.held_usd),
      answer: extra.answer ?? (group === 'note' ? 'note' : null),
      isAnswered: extra.isAnswered ?? (group === 'note' && notes.has(`${key} ${digest}`)),
      facts: digest,
      rows: rows.slice(0, ROWS_MAX),
    });
  };
  const block = (key: string, isFailing: boolean): void => add(key, 'blocks', [], { count: isFailing ? 1 : 0 });

  block('statement_complete', facts.status !== 'complete');
  const recheck = judgeRecheck(facts);
  // A newer snapshot has the other totals: then it is the item.
  if (recheck !== 'differs' || !facts.isContradicted) block(RECHECK_ITEMS[recheck], recheck !== 'current');
  block('not_contradicted', facts.isContradicted);
  block('follows', facts.precedes === 'missing');
  const earnedTwice = facts.earnedTwice.map(({ attributed_usd, ...about }) => ({ ...about, figures: { attributed: attributed_usd } }));
  add('earned_once', 'blocks', earnedTwice, { amount_usd: sumOf(facts.earnedTwice, 'attributed_usd') });
  addReversals(add, facts.reversals);
  addUnattributed(add, facts.unattributed);
  const warnings = facts.warnings.map(({ name, expected, actual }) => ({ about: name, figures: { expected, actual } }));
  add('warnings', 'note', warnings);
  addPeriods(add, 'base_mismatch', facts.baseMismatches);
  addPeriods(add, 'open_refunds', facts.openRefunds);
  addDrift(add, facts.drift);
  addAdjustments(add, 'adjustments_stranded', 'note', facts.strandedAdjustments);
  addMovers(add, lines, policy);
  addLines(add, 'first_payments', 'note', isFirstPayment(lines, policy), 'payable_usd');
  addLines(add, 'identity_offset', 'note', offsetting(lines), 'due_usd');
  addDetails(add, facts.paidDetails);
  addRate(add, facts);
  const held = lines.filter(({ held_usd }) => signOfMoney(held_usd) > 0);
  addLines(add, 'holds', 'held', held, 'held_usd', { held_usd: sumOf(held, 'held_usd') });
  addInformation(add, facts);
  const countOpen = (asks: CheckGroup): number => items.filter(({ group, isAnswered }) => group === asks && !isAnswered).length;
  const openBlocks = countOpen('blocks');
  return { items, passed, isBlocked: openBlocks > 0, openBlocks, openNotes: countOpen('note') };
}

/** Rows as a digest covers them: in one order, and without names, which a person can change without changing what is paid. */
function digestedRows(rows: readonly CheckRow[]): string[] {
  return rows.map(({ name: _, people: __, ...row }) => digestOf(row).toString('hex')).toSorted();
}

/** The sum of one amount of all rows. */
function sumOf<Column extends string>(rows: readonly Record<Column, string>[], column: Column): string {
  return sumMoney(rows.map((row) => row[column]));
}

function addReversals(add: Add, reversals: readonly CloseReversal[]): void {
  const rowOf = ({ recipientId, name, periodId, reported_usd, pinned_usd, taken_usd }: CloseReversal): CheckRow => {
    return { recipientId, name, periodId, figures: { reported: reported_usd, already_deducted: pinned_usd, deducted: taken_usd } };
  };
  const negative = reversals.filter(({ reported_usd }) => signOfMoney(reported_usd) < 0);
  add('reversal_sane', 'blocks', negative.map(rowOf), { amount_usd: sumOf(negative, 'reported_usd') });
  // A share of less than a cent can be reversed as 0.00; Invo counts such a reversal too.
  const coarse = reversals.filter(({ isCoarse, reported_usd }) => isCoarse && signOfMoney(reported_usd) >= 0);
  add('coarse', 'note', coarse.map(rowOf), { amount_usd: negateMoney(sumOf(coarse, 'taken_usd')) });
  const pinned = reversals.filter(({ isCoarse, pinned_usd }) => !isCoarse && signOfMoney(pinned_usd) > 0);
  add('pinned_exact', 'note', pinned.map(rowOf), { amount_usd: sumOf(pinned, 'pinned_usd') });
}

function addUnattributed(add: Add, unattributed: CloseFacts['unattributed']): void {
  for (const { reason, count, foundCount, facts } of unattributed.toSorted((one, other) => (one.reason < other.reason ? -1 : 1))) {
    const group = REASON_GROUPS[reason] ?? 'blocks';
    const isFound = foundCount >= count;
    const answer = group === 'blocks' ? { answer: 'finding' as const } : {};
    const answered = group === 'info' || (group === 'note' && !isFound) ? {} : { isAnswered: isFound };
    add(reason, group, [], { count, about: facts, ...answer, ...answered });
  }
  if (!unattributed.some(({ reason, count }) => count > 0 && (REASON_GROUPS[reason] ?? 'blocks') === 'blocks'))
    add('spend_order_not_found', 'blocks', [], { count: 0 });
}

function addPeriods(add: Add, key: string, periods: readonly ClosePeriod[]): void {
  const rows = periods.map(({ recipientId, name, periodId, attributed_usd, held_usd }) => {
    return { recipientId, name, periodId, figures: { attributed: attributed_usd, held: held_usd } };
  });
  add(key, 'note', rows, { amount_usd: sumOf(periods, 'attributed_usd'), held_usd: sumOf(periods, 'held_usd') });
}

/** An amount only where it is due beyond doubt: a reversal without receipts may be deducted in the month it moved to. */
function addDrift(add: Add, drift: readonly DriftedPeriod[]): void {
  const rowOf = ({ recipientId, name, periodId, runNo }: DriftedPeriod): Omit<CheckRow, 'figures'> =>
    runNo === 0 ? { recipientId, name, periodId } : { recipientId, name, periodId, runNo };
  const exact = drift.flatMap((period) => (period.netChange_usd === null ? [] : [{ ...period, netChange_usd: period.netChange_usd }]));
  const exactRows = exact.map((period) => ({ ...rowOf(period), figures: { net_change: period.netChange_usd } }));
  add('drift', 'note', exactRows, { amount_usd: sumOf(exact, 'netChange_usd') });
  const coarse = drift.filter(({ netChange_usd }) => netChange_usd === null);
  const coarseRows = coarse.map((period) => {
    const { reportedThen_usd: reported_then, reportedNow_usd: reported_now, deducted_usd: deducted_so_far } = period;
    return { ...rowOf(period), figures: { reported_then, reported_now, deducted_so_far } };
  });
  add('drift_coarse', 'note', coarseRows);
}

function addAdjustments(add: Add, key: string, group: CheckGroup, adjustments: CloseFacts['unconfirmedAdjustments']): void {
  const rows = adjustments.map(({ recipientId, name, amount_usd }) => ({ recipientId, name, figures: { change: amount_usd } }));
  add(key, group, rows, { amount_usd: sumOf(adjustments, 'amount_usd') });
}

function addMovers(add: Add, lines: readonly CloseLine[], { changePercent, minimum_usd }: PayoutPolicy): void {
  const movers = lines.flatMap((line) => {
    if (line.lastNet_usd === null) return [];
    const change = subtractMoney(line.net_usd, line.lastNet_usd);
    const size = absoluteMoney(change);
    const isLarge = compareMoney(multiplyMoney(size, 100), multiplyMoney(absoluteMoney(line.lastNet_usd), changePercent)) > 0;
    return isLarge && compareMoney(size, minimum_usd) >= 0 ? [{ line, change }] : [];
  });
  const bySize = movers.toSorted(
    (one, other) => -compareMoney(absoluteMoney(one.change), absoluteMoney(other.change)) || one.line.recipientId - other.line.recipientId,
  );
  const rows = bySize.map(({ line: { recipientId, name, lastNet_usd }, change }) => {
    return { recipientId, name, figures: { last_month: lastNet_usd ?? '0.00', change } };
  });
  add('movers', 'note', rows, { amount_usd: sumOf(movers, 'change') });
}

function isFirstPayment(lines: readonly CloseLine[], { firstPaymentFrom_usd }: PayoutPolicy): CloseLine[] {
  return lines.filter(
    ({ outcome, wasPaid, payable_usd }) => outcome === 'payable' && !wasPaid && compareMoney(payable_usd, firstPaymentFrom_usd) >= 0,
  );
}

/** The lines of an identity that has both money due and a negative balance. */
function offsetting(lines: readonly CloseLine[]): CloseLine[] {
  const signs = new Map<string, Set<number>>();
  for (const { identityId, due_usd } of lines)
    if (identityId !== null) signs.set(identityId, (signs.get(identityId) ?? new Set()).add(signOfMoney(due_usd)));
  return lines.filter(({ identityId }) => {
    const found = identityId === null ? undefined : signs.get(identityId);
    return found?.has(1) === true && found.has(-1);
  });
}

function addDetails(add: Add, details: CloseFacts['paidDetails']): void {
  const rowOf = ({ recipientId, name, detailNo, account, payable_usd, proposedBy, confirmedBy }: (typeof details)[number]): CheckRow => {
    const people = `proposed by ${proposedBy}, confirmed by ${confirmedBy}`;
    return { recipientId, name, details: { detailNo, account }, people, figures: { payable: payable_usd } };
  };
  for (const [key, flag] of [['changed_details', 'isChanged'] as const, ['shared_account', 'isShared'] as const]) {
    const found = details.filter((each) => each[flag]);
    add(key, 'note', found.map(rowOf), { amount_usd: sumMoney(found.map(({ payable_usd }) => payable_usd)) });
  }
}

/** SEPA moves euros alone, at the rate that the approval covers. */
function addRate(add: Add, { paidDetails, eurRate }: Pick<CloseFacts, 'paidDetails' | 'eurRate'>): void {
  const sepa = paidDetails.filter(({ isSepa }) => isSepa);
  if (sepa.length === 0) return;
  const rows =
    eurRate === null ? sepa.map(({ recipientId, name, payable_usd }) => ({ recipientId, name, figures: { payable: payable_usd } })) : [];
  add('eur_rate', 'blocks', rows, { amount_usd: sumMoney(sepa.map(({ payable_usd }) => payable_usd)) });
}

type LineColumn = 'payable_usd' | 'due_usd' | 'held_usd';
const FIGURE_OF = { payable_usd: 'payable', due_usd: 'due', held_usd: 'held' } as const;

function addLines(add: Add, key: string, group: CheckGroup, lines: readonly CloseLine[], column: LineColumn, extra: ItemExtra = {}): void {
  const rows = lines.map((line) => ({ recipientId: line.recipientId, name: line.name, figures: { [FIGURE_OF[column]]: line[column] } }));
  add(key, group, rows, { amount_usd: sumOf(lines, column), ...extra });
}

function addInformation(add: Add, facts: CloseFacts): void {
  const { lines } = facts;
  const payable = lines.filter(({ outcome }) => outcome === 'payable');
  // The run's lines list them; the other outcomes follow with their own counts.
  add('payable', 'info', [], { count: payable.length, amount_usd: sumOf(payable, 'payable_usd') });
  for (const outcome of ['unresolved', 'negative_balance', 'no_details', 'below_minimum', 'excluded'] as const) {
    const these = lines.filter((line) => line.outcome === outcome);
    addLines(add, outcome, 'info', these, 'due_usd');
  }
  const senders = facts.missingSenders.map(({ method, payable_usd }) => ({ method, figures: { payable: payable_usd } }));
  add('no_sender', 'info', senders, { amount_usd: sumOf(facts.missingSenders, 'payable_usd') });
  add('nets_to_zero', 'info', [], { count: facts.netsToZeroCount });
  const endedHolds = facts.endedHolds.map(({ recipientId, name }) => ({ recipientId, name, figures: {} }));
  add('holds_ended', 'info', endedHolds);
  addAdjustments(add, 'adjustments_unconfirmed', 'info', facts.unconfirmedAdjustments);
  if (facts.cardFees === null || facts.cardFees.readCount < facts.cardFees.count)
    add('card_fees_not_read', 'info', [], { count: facts.cardFees === null ? 1 : facts.cardFees.count - facts.cardFees.readCount });
  else add('card_fees', 'info', [], { count: facts.cardFees.count, amount_usd: facts.cardFees.amount_usd });
}
