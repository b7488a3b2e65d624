import type { Db } from '#db/kit/open.ts';
import { postPayments } from '#lib/accounting/post-journals.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { digestOf } from '../core/canonical-digest.ts';
import { signOfMoney, sumMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { lockOpenRun, recomposeOpenRun } from '../payouts/draft-run.ts';
import { lockRun } from '../payouts/reads/find-run.ts';
import { findPayoutPause } from '../payouts/reads/payout-pause.ts';
import { asPreparer, type PreparerRefusal } from '../payouts/writes/run-states.ts';
import { digestFacts, digestRowNos } from './digest-report.ts';
import { findBatch } from './reads/batches.ts';
import { findKnownBatch, findKnownPayment } from './reads/known-payments.ts';
import { findListedRow, findReport, type ListedRow } from './reads/reports.ts';
import { listRecipients } from './reads/waiting-items.ts';
import { returnFee_usd } from './rules/convert-usd.ts';
import type { KnownPayment } from './rules/match-rows.ts';
import { compareReported } from './rules/report-row.ts';
import { BACK_STATES, dayOfReturn, isKnownReturn, isOwnFailure, newestReported, type ReportedState } from './rules/reported-states.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { insertRowDecision, setForeignAside } from './writes/store-report.ts';

/** Characters of the note of a decision. */
const NOTE_MAX = 500;

/** What an accepted row is about: the payment it names, another one by its reference, or all payments of a file. */
type RowTarget = { of: 'named' } | { of: 'reference'; reference: string } | { of: 'batch'; batchNo: number };

/** What a person decides of a row that confirmed nothing. */
export type DecidedRow = { reportNo: number; rowNo: number; note: string } & (
  | { decision: 'set_aside' }
  | {
      decision: 'accepted';
      target: RowTarget;
      /** The status that the person chose, where the row's own word isn't known; null: its own word decides. */
      reportedState: ReportedState | null;
    }
);

type AcceptRefusal =
  | 'state_missing'
  /** The row names no payment, or several: the person chooses one. */
  | 'no_payment'
  | 'unknown_payment'
  | 'not_handed_over'
  /** Another payment replaced it: what was paid twice is corrected by an adjustment. */
  | 'replaced'
  | 'amount_differs'
  | 'nothing_to_confirm';
export type DecideRowResult =
  | { ok: true; voidedSubmission: boolean }
  | { ok: false; reason: PreparerRefusal | 'paused' | 'moved_on' | SharedTextRefusal | AcceptRefusal };

/**
 * Accepts a listed row, which then confirms its payments, or sets it aside, each with a note and once. A differing amount is accepted only for the payment that the
 * row names; another one, or those of a file, must have the row's amount. A return that is smaller returns the whole payment, and the difference is a bank fee.
 * `key`: see `namesAccountOf`.
 */
export async function decideRow(game: OpenGame, actor: Actor, decided: DecidedRow, key: PayeeKey | null = null): Promise<DecideRowResult> {
  const note = parseSharedNote(decided.note, NOTE_MAX);
  if (!note.ok) return note;
  const { gameId } = game;
  const { reportNo, rowNo } = decided;
  return await asPreparer(game, actor, async (tx): Promise<DecideRowResult> => {
    await lockRunsOf(tx, gameId);
    if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
    const row = await findListedRow(tx, gameId, decided);
    if (row === null || row.decision !== null) return { ok: false, reason: 'moved_on' };
    const accepted = decided.decision === 'set_aside' ? null : await acceptedBy(tx, game, row, decided);
    if (accepted !== null && 'reason' in accepted) return { ok: false, reason: accepted.reason };
    const recipientIds = await recipientsOf(
      tx,
      gameId,
      accepted?.payments ?? [await findKnownPayment(tx, gameId, row.payment?.reference ?? '')],
    );
    if (await namesAccountOf(tx, gameId, key, { text: note.text, recipientIds })) return { ok: false, reason: 'account' };
    const stored = { gameId, reportNo, rowNo, note: note.text, decidedBy: actor.id, confirms: accepted };
    const facts = await insertRowDecision(tx, stored);
    if (facts === null) return { ok: false, reason: 'moved_on' };
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: accepted === null ? 'set aside a row of a bank report' : 'accepted a row of a bank report',
      subject: `bank report ${reportNo}`,
      detail: { row: rowNo, note: note.text, ...(accepted !== null && { ...detailOf(accepted), facts: digestFacts(facts) }) },
    });
    if (accepted === null) return { ok: true, voidedSubmission: false };
    for (const runId of new Set(accepted.payments.map((payment) => payment.runId))) {
      await lockRun(tx, gameId, runId);
      await refreshStates(tx, { gameId, runId });
    }
    await postPayments(tx, game, { reportNo, rowNo }, actor);
    const states = [accepted.state, ...accepted.payments.flatMap(({ confirmations }) => confirmations.map(({ state }) => state))];
    const concernsDraft = states.some((state) => BACK_STATES.includes(state));
    const cause = `row ${rowNo} of bank report ${reportNo}`;
    return { ok: true, voidedSubmission: concernsDraft && (await recomposeOpenRun(tx, game, await lockOpenRun(tx, gameId), cause)) };
  });
}

export type SetAsideResult =
  | { ok: true; count: number }
  | { ok: false; reason: PreparerRefusal | 'paused' | 'not_as_shown' | SharedTextRefusal };

/** Sets all open rows of a report aside that name no payment of this game, with one note. Refused when they are others than the page counted. */
export async function setForeignRowsAside(
  game: OpenGame,
  actor: Actor,
  { reportNo, note, shownCount }: { reportNo: number; note: string; shownCount: number },
): Promise<SetAsideResult> {
  const typed = parseSharedNote(note, NOTE_MAX);
  if (!typed.ok) return typed;
  const { gameId } = game;
  return await asPreparer(game, actor, async (tx): Promise<SetAsideResult> => {
    await lockRunsOf(tx, gameId);
    if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
    const report = await findReport(tx, gameId, { reportNo });
    if (report === null || report.openForeignCount === 0 || report.openForeignCount !== shownCount)
      return { ok: false, reason: 'not_as_shown' };
    const rowNos = await setForeignAside(tx, { gameId, reportNo, note: typed.text, decidedBy: actor.id });
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: 'set aside rows of a bank report',
      subject: `bank report ${reportNo}`,
      detail: { count: rowNos.length, note: typed.text, digest: digestRowNos(rowNos) },
    });
    return { ok: true, count: rowNos.length };
  });
}

/** null: the row names no payment. */
async function recipientsOf(tx: Db, gameId: number, payments: readonly (KnownPayment | null)[]): Promise<number[]> {
  const known = payments.filter((payment) => payment !== null);
  const recipientIds: number[] = [];
  for (const [runId, own] of Map.groupBy(known, (payment) => payment.runId))
    recipientIds.push(...(await listRecipients(tx, { gameId, runId }, { itemNos: own.map(({ itemNo }) => itemNo) })));
  return [...new Set(recipientIds)];
}

interface Accepted {
  payments: readonly KnownPayment[];
  state: ReportedState;
  fee_usd: string | null;
}

/** References of at most this many payments go into the audit; of a file there is its count. */
const NAMED_MAX = 20;

function detailOf({ payments, state, fee_usd }: Accepted): Record<string, unknown> {
  const named = payments.length <= NAMED_MAX ? { payments: payments.map(({ reference }) => reference) } : {};
  const sorted = payments.toSorted((one, other) => one.runId - other.runId || one.itemNo - other.itemNo).map(({ reference }) => reference);
  const digest = digestOf(sorted).toString('hex');
  return { state, count: payments.length, ...named, digest, ...(fee_usd !== null && { fee_usd }) };
}

async function acceptedBy(
  tx: Db,
  { gameId, now }: OpenGame,
  row: ListedRow,
  { target, reportedState }: Extract<DecidedRow, { decision: 'accepted' }>,
): Promise<Accepted | { reason: AcceptRefusal }> {
  const state = row.state ?? reportedState;
  if (state === null) return { reason: 'state_missing' };
  if (target.of === 'batch') return await acceptedOfBatch(tx, gameId, { row, state, batchNo: target.batchNo });
  if (target.of === 'named' && row.payment === null) return { reason: 'no_payment' };
  const payment = await findKnownPayment(tx, gameId, target.of === 'named' ? (row.payment?.reference ?? '') : target.reference);
  if (payment === null) return { reason: 'unknown_payment' };
  if (!payment.isHandedOver) return { reason: 'not_handed_over' };
  if (payment.isReplaced) return { reason: 'replaced' };
  const difference = differenceOf(row, state, payment);
  const isNamed = payment.reference === row.payment?.reference;
  if (!isNamed && difference !== null && difference !== 'returned_in_part') return { reason: 'amount_differs' };
  // A return that another report has too was posted with its fee once.
  const { confirmations } = payment;
  const hasFee =
    difference === 'returned_in_part' && !isKnownReturn(confirmations, dayOfReturn(confirmations, row.occurredOn, now().slice(0, 10)));
  return { payments: [payment], state, fee_usd: hasFee ? feeOf(payment, row.amount ?? '0') : null };
}

/**
 * The payments of a file that a row confirms as a whole: all of them where it has the total of the file, or is a bank's answer to the file, which has none; otherwise
 * those that didn't fail or come back, whose sum it must have.
 */
async function acceptedOfBatch(
  tx: Db,
  gameId: number,
  { row, state, batchNo }: { row: ListedRow; state: ReportedState; batchNo: number },
): Promise<Accepted | { reason: AcceptRefusal }> {
  const found = await findBatch(tx, gameId, batchNo);
  const batch = found === null ? null : await findKnownBatch(tx, gameId, found.messageId);
  if (batch === null) return { reason: 'unknown_payment' };
  if (batch.payments.some(({ isHandedOver }) => !isHandedOver)) return { reason: 'not_handed_over' };
  const rest = batch.payments.filter(({ confirmations }) => !isBack(confirmations));
  const covered = [batch.payments, rest].find((own) => {
    const amount = sumMoney(own.map((payment) => payment.amount));
    return differenceOf(row, state, { amount, currency: batch.currency }) === null;
  });
  if (covered === undefined) return { reason: 'amount_differs' };
  const payments = covered.filter(
    ({ isReplaced, confirmations }) =>
      !isReplaced &&
      !confirmations.some((each) => each.state === state) &&
      !isOwnFailure(confirmations, state) &&
      !(state === 'paid' && newestReported(confirmations)?.state === 'returned'),
  );
  return payments.length === 0 ? { reason: 'nothing_to_confirm' } : { payments, state, fee_usd: null };
}

function isBack(confirmations: KnownPayment['confirmations']): boolean {
  const newest = newestReported(confirmations);
  return newest !== null && BACK_STATES.includes(newest.state);
}

function differenceOf(
  { hasAmounts, amount, currency }: ListedRow,
  state: ReportedState,
  payment: Pick<KnownPayment, 'amount' | 'currency'>,
): ReturnType<typeof compareReported> {
  if (!hasAmounts) return null;
  return compareReported(amount === null || currency === null ? [] : [{ amount, currency }], state, payment);
}

/** What banks took of a return, in USD and whole cents; null: less than half a cent. */
function feeOf(payment: KnownPayment, returned: string): string | null {
  const fee_usd = returnFee_usd(payment, returned);
  return signOfMoney(fee_usd) > 0 ? fee_usd : null;
}
