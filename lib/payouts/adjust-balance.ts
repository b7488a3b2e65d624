import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { negateMoney, signOfMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedAmount, parseTypedUsd, wholeCentsOf } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { lockOpenRun, recomposeOpenRun } from './draft-run.ts';
import { findRun } from './reads/find-run.ts';
import { findRecipientName } from './reads/payout-decisions.ts';
import { isPeriodOf, listKnownRecipients } from './reads/run-facts.ts';
import { ADJUSTMENT_KINDS, type AdjustmentKind, type NewAdjustment, type PayoutPolicy } from './rules/policy.ts';
import {
  decideAdjustment,
  decidePolicy,
  drawPairId,
  findProposer,
  insertAdjustment,
  insertPolicy,
  isTooLate,
  type ProposalDecision,
} from './writes/balances.ts';
import { asPreparer, type PreparerRefusal } from './writes/run-states.ts';

/** Characters of the reason of an adjustment: the recipient's statement prints it. */
const ADJUSTMENT_REASON_MAX = 1_000;

/** An adjustment as it was typed. */
export interface TypedAdjustment {
  recipientId: number;
  /** USD with a sign; in whole cents, except for a changed period. */
  amount: string;
  kind: string;
  reason: string;
  /** Number of the run it corrects; null: none. */
  runNo: number | null;
  periodId: number | null;
  /** Of a transfer: who gets what the recipient loses. */
  toRecipientId: number | null;
}

export type AdjustmentField = 'amount' | 'kind' | 'reason' | 'recipientId' | 'toRecipientId' | 'runNo' | 'periodId';
interface Refused {
  ok: false;
  reason: 'invalid';
  field: AdjustmentField;
  problem: SharedTextRefusal | 'not_an_amount' | 'not_whole_cents' | 'zero' | 'unknown' | 'too_late';
}
export type ProposalResult = { ok: true; adjustmentId: number } | { ok: false; reason: PreparerRefusal } | Refused;

const invalid = (field: AdjustmentField, problem: Refused['problem']): Refused => ({ ok: false, reason: 'invalid', field, problem });

/** Proposes an adjustment of a recipient's balance. It changes nothing until a second person confirms it. A transfer is two halves that cancel. `key`: see `namesAccountOf`. */
export async function proposeAdjustment(
  game: OpenGame,
  actor: Actor,
  typed: TypedAdjustment,
  key: PayeeKey | null = null,
): Promise<ProposalResult> {
  return await asPreparer(game, actor, async (tx): Promise<ProposalResult> => {
    // As an approval does: an amount for the first run is stored before that run is approved, or not at all.
    await lockRunsOf(tx, game.gameId);
    const checked = await checkAdjustment(tx, game, typed);
    if (!checked.ok) return checked;
    const { amount_usd, toRecipientId, ...adjustment } = checked;
    const { kind, reason, correctsRunId, correctsPeriodId } = adjustment;
    const recipientIds = toRecipientId === null ? [typed.recipientId] : [typed.recipientId, toRecipientId];
    if (await namesAccountOf(tx, game.gameId, key, { text: reason, recipientIds })) return invalid('reason', 'account');
    const pairId = toRecipientId === null ? null : await drawPairId(tx);
    const about = { kind, reason, correctsRunId, correctsPeriodId, pairId };
    const add = async (half: Pick<NewAdjustment, 'recipientId' | 'amount_usd'>): Promise<number | null> => {
      const id = await insertAdjustment(tx, game.gameId, actor, { ...about, ...half });
      const entry = { act: 'proposed an adjustment' as const, subject: `adjustment ${id}`, detail: { ...about, ...half } };
      if (id !== null) await recordAudit(tx, { gameId: game.gameId, actor: actor.email, ...entry });
      return id;
    };
    const adjustmentId = await add({ recipientId: typed.recipientId, amount_usd });
    if (adjustmentId === null) return invalid('kind', 'too_late');
    if (toRecipientId !== null) await add({ recipientId: toRecipientId, amount_usd: negateMoney(amount_usd) });
    return { ok: true, adjustmentId };
  });
}

interface TransferParty {
  recipientId: number;
  /** null: Invo reports none. */
  name: string | null;
}
/** What a transfer would do: who loses the amount (USD, above zero) and who gets it. */
type TransferPreview = { ok: true; from: TransferParty; to: TransferParty; amount_usd: string };

/** Says what a transfer would do, before a person proposes it. Stores nothing. */
export async function previewTransfer(game: OpenGame, typed: TypedAdjustment): Promise<TransferPreview | Refused> {
  const checked = await checkAdjustment(game.db, game, typed);
  if (!checked.ok) return checked;
  const { amount_usd, toRecipientId } = checked;
  if (toRecipientId === null) return invalid('toRecipientId', 'missing');
  const partyOf = async (recipientId: number): Promise<TransferParty> => {
    return { recipientId, name: await findRecipientName(game.db, game.gameId, recipientId) };
  };
  const [one, other] = [await partyOf(typed.recipientId), await partyOf(toRecipientId)];
  return signOfMoney(amount_usd) < 0
    ? { ok: true, from: one, to: other, amount_usd: negateMoney(amount_usd) }
    : { ok: true, from: other, to: one, amount_usd };
}

/** An adjustment whose entries are right; `toRecipientId` null: no transfer. */
type CheckedAdjustment = { ok: true; kind: AdjustmentKind; toRecipientId: number | null } & Pick<
  NewAdjustment,
  'amount_usd' | 'reason' | 'correctsRunId' | 'correctsPeriodId'
>;

async function checkAdjustment(db: Db, game: OpenGame, typed: TypedAdjustment): Promise<CheckedAdjustment | Refused> {
  const { recipientId, runNo, periodId } = typed;
  const reason = parseSharedNote(typed.reason, ADJUSTMENT_REASON_MAX);
  if (!reason.ok) return invalid('reason', reason.reason);
  const kind = ADJUSTMENT_KINDS.find((each) => each === typed.kind);
  if (kind === undefined) return invalid('kind', 'unknown');
  const amount = parseTypedUsd(typed.amount.replace('−', '-'));
  if ('error' in amount) return invalid('amount', 'not_an_amount');
  if (signOfMoney(amount.typed_usd) === 0) return invalid('amount', 'zero');
  // Invo's shares can be finer than a cent, and so can what is left of a changed period.
  const amount_usd = kind === 'drift' ? amount.typed_usd : centsOf(amount.typed_usd);
  if (amount_usd === null) return invalid('amount', 'not_whole_cents');
  const toRecipientId = kind === 'transfer' ? typed.toRecipientId : null;
  if (kind === 'transfer' && (toRecipientId === null || toRecipientId === recipientId)) return invalid('toRecipientId', 'missing');
  // Runs count what such an adjustment deducts of a period, so that a reversal that moves isn't deducted twice.
  if (kind === 'drift' && runNo === null) return invalid('runNo', 'missing');
  if (kind === 'drift' && periodId === null) return invalid('periodId', 'missing');
  const corrected = runNo === null ? null : await findRun(db, game.gameId, { runNo });
  if (runNo !== null && corrected === null) return invalid('runNo', 'unknown');
  const wanted = toRecipientId === null ? [recipientId] : [recipientId, toRecipientId];
  const known = await listKnownRecipients(db, game.gameId, wanted);
  if (!known.includes(recipientId)) return invalid('recipientId', 'unknown');
  if (known.length < wanted.length) return invalid('toRecipientId', 'unknown');
  if (kind === 'drift' && !(await isPeriodOf(db, game.gameId, periodId, recipientId))) return invalid('periodId', 'unknown');
  const corrects = { correctsRunId: corrected?.runId ?? null, correctsPeriodId: periodId };
  return { ok: true, amount_usd, kind, reason: reason.text, ...corrects, toRecipientId };
}

/** An amount of either sign in whole cents; null when it is finer. */
function centsOf(amount: string): string | null {
  const cents = wholeCentsOf(amount.replace(/^-/, ''));
  return cents === null ? null : amount.startsWith('-') ? negateMoney(cents) : cents;
}

export type DecisionResult<Refusal extends string = never> =
  | { ok: true; voidedSubmission: boolean }
  | { ok: false; reason: PreparerRefusal | ApproverRefusal | 'same_person' | 'moved_on' | Refusal };

/**
 * Confirms what another person proposed, or withdraws it. A confirmed adjustment is part of the next run, and of the current draft, which is composed
 * again. Confirming doesn't count as work on the run. `too_late`: it belongs to the first run, which is in review or approved.
 */
export async function decideProposal(
  game: OpenGame,
  actor: Actor,
  { adjustmentId, decision }: { adjustmentId: number; decision: ProposalDecision },
): Promise<DecisionResult<'too_late'>> {
  const decided = await decide(game, actor, { subject: `adjustment ${adjustmentId}`, decision, proposal: { adjustmentId } }, (tx) =>
    decideAdjustment(tx, { gameId: game.gameId, adjustmentId }, actor, decision).then((count) => count > 0),
  );
  const isRefused = !decided.ok && decided.reason === 'moved_on' && decision === 'confirmed';
  return isRefused && (await isTooLate(game.db, game.gameId, adjustmentId)) ? { ok: false, reason: 'too_late' } : decided;
}

/** A policy as it was typed. */
export interface TypedPolicy {
  minimum: string;
  /** Empty: never. */
  secondApprovalFrom: string;
  recheckHours: number;
  changePercent: number;
  firstPaymentFrom: string;
  holdsBaseMismatch: boolean;
}

type PolicyField = 'minimum' | 'secondApprovalFrom' | 'firstPaymentFrom' | 'recheckHours' | 'changePercent';
export type PolicyProposalResult =
  | { ok: true }
  | { ok: false; reason: PreparerRefusal | 'another_waits' }
  | { ok: false; reason: 'invalid'; fields: PolicyField[] };

/** Proposes what small amounts, re-checks, notes and second approvers depend on. It applies once a second person confirms it. */
export async function proposePolicy(game: OpenGame, actor: Actor, typed: TypedPolicy): Promise<PolicyProposalResult> {
  const amountOf = (text: string): string | null => {
    const amount = parseTypedAmount(text, { known_usd: '0' });
    return 'error' in amount ? null : amount.amount_usd;
  };
  const minimum_usd = amountOf(typed.minimum);
  const secondApprovalFrom_usd = typed.secondApprovalFrom.trim() === '' ? null : amountOf(typed.secondApprovalFrom);
  const firstPaymentFrom_usd = amountOf(typed.firstPaymentFrom);
  const isWhole = (count: number, most: number): boolean => Number.isInteger(count) && count >= 1 && count <= most;
  const fields: PolicyField[] = [
    ...(minimum_usd === null ? (['minimum'] as const) : []),
    ...(secondApprovalFrom_usd === null && typed.secondApprovalFrom.trim() !== '' ? (['secondApprovalFrom'] as const) : []),
    ...(firstPaymentFrom_usd === null ? (['firstPaymentFrom'] as const) : []),
    ...(isWhole(typed.recheckHours, 720) ? [] : (['recheckHours'] as const)),
    ...(isWhole(typed.changePercent, 10_000) ? [] : (['changePercent'] as const)),
  ];
  if (fields.length > 0 || minimum_usd === null || firstPaymentFrom_usd === null) return { ok: false, reason: 'invalid', fields };
  const { recheckHours, changePercent, holdsBaseMismatch } = typed;
  const amounts = { minimum_usd, secondApprovalFrom_usd, firstPaymentFrom_usd };
  const policy: PayoutPolicy = { ...amounts, recheckHours, changePercent, holdsBaseMismatch };
  return await asPreparer(game, actor, async (tx): Promise<PolicyProposalResult> => {
    await lockRunsOf(tx, game.gameId);
    if (!(await insertPolicy(tx, game.gameId, actor, policy))) return { ok: false, reason: 'another_waits' };
    const entry = { act: 'proposed a payout policy' as const, subject: 'payout policy', detail: { ...policy } };
    await recordAudit(tx, { gameId: game.gameId, actor: actor.email, ...entry });
    return { ok: true };
  });
}

/** Confirms a policy another person proposed, or withdraws it. A draft is composed under it; a submitted run that it changes returns to draft. */
export async function decideProposedPolicy(
  game: OpenGame,
  actor: Actor,
  { policyNo, decision }: { policyNo: number; decision: ProposalDecision },
): Promise<DecisionResult> {
  return await decide(game, actor, { subject: 'payout policy', decision, proposal: { policyNo } }, (tx) =>
    decidePolicy(tx, { gameId: game.gameId, policyNo }, actor, decision),
  );
}

async function decide(
  game: OpenGame,
  actor: Actor,
  { subject, decision, proposal }: { subject: string; decision: ProposalDecision; proposal: Parameters<typeof findProposer>[2] },
  work: (tx: Db) => Promise<boolean>,
): Promise<DecisionResult> {
  const decided = await asPreparer(game, actor, async (tx): Promise<DecisionResult> => {
    await lockRunsOf(tx, game.gameId);
    const run = await lockOpenRun(tx, game.gameId);
    if (!(await work(tx))) return { ok: false, reason: 'moved_on' };
    const act = decision === 'confirmed' ? 'confirmed a proposal' : 'withdrew a proposal';
    await recordAudit(tx, { gameId: game.gameId, actor: actor.email, act, subject });
    return { ok: true, voidedSubmission: decision === 'confirmed' && (await recomposeOpenRun(tx, game, run, subject)) };
  });
  if (decided.ok || decided.reason !== 'moved_on' || decision === 'withdrawn') return decided;
  const proposer = await findProposer(game.db, game.gameId, proposal);
  if (proposer === null) return decided;
  const own = proposer === actor.id ? 'same_person' : null;
  const reason = own ?? (await findApproverRefusal(game.db, actor.id, { right: 'payouts.approve', preparerId: proposer }));
  const attempt = { actor, gameId: game.gameId, what: 'confirmation of a proposal', subject };
  return reason === null ? decided : await auditRefusal(game.db, attempt, { ok: false, reason });
}
