import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { findRun } from '#db/payouts/reads/find-run.ts';
import { listKnownRecipients } from '#db/payouts/reads/run-facts.ts';
import {
  decideAdjustment,
  decidePolicy,
  drawPairId,
  findAdjustmentProposer,
  findPolicyProposer,
  insertAdjustment,
  insertPolicy,
  type NewAdjustment,
  type ProposalDecision,
} from '#db/payouts/writes/balances.ts';
import { lockPreparer, lockRunsOf, type PreparerRefusal, recordPayoutAudit } from '#db/payouts/writes/run-states.ts';
import { findRefusal } from '#db/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { negateMoney, signOfMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedAmount, parseTypedText, parseTypedUsd, wholeCentsOf } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { ADJUSTMENT_KINDS, type PayoutPolicy } from './rules/policy.ts';
import { lockOpenRun, settleRun } from './settle-run.ts';

/** Characters of the reason of an adjustment: the recipient's statement prints it. */
const ADJUSTMENT_REASON_MAX = 1_000;

/** An adjustment as it was typed. */
export interface TypedAdjustment {
  recipientId: number;
  /** USD with a sign, in whole cents. */
  amount: string;
  kind: string;
  reason: string;
  /** Number of the run it corrects; null: none. */
  runNo: number | null;
  periodId: number | null;
  /** Of a transfer: who gets what the recipient loses. */
  toRecipientId: number | null;
}

export type AdjustmentField = 'amount' | 'kind' | 'reason' | 'recipientId' | 'toRecipientId' | 'runNo';
export type Proposed =
  | { ok: true; adjustmentId: number }
  | { ok: false; reason: PreparerRefusal }
  | {
      ok: false;
      reason: 'invalid';
      field: AdjustmentField;
      problem: 'missing' | 'too_long' | 'not_an_amount' | 'not_whole_cents' | 'zero' | 'unknown';
    };

const invalid = (field: AdjustmentField, problem: Extract<Proposed, { reason: 'invalid' }>['problem']): Proposed => ({
  ok: false,
  reason: 'invalid',
  field,
  problem,
});

/** Proposes an adjustment of a recipient's balance. It changes nothing until a second person confirms it. A transfer is two halves that cancel. */
export async function proposeAdjustment(game: OpenGame, actor: Actor, typed: TypedAdjustment): Promise<Proposed> {
  const reason = parseTypedText(typed.reason, ADJUSTMENT_REASON_MAX);
  if (reason === 'too_long') return invalid('reason', 'too_long');
  const { text } = reason;
  if (text === null) return invalid('reason', 'missing');
  const kind = ADJUSTMENT_KINDS.find((each) => each === typed.kind);
  if (kind === undefined) return invalid('kind', 'unknown');
  const amount = parseTypedUsd(typed.amount.replace('−', '-'));
  if ('error' in amount) return invalid('amount', 'not_an_amount');
  if (signOfMoney(amount.typed_usd) === 0) return invalid('amount', 'zero');
  const amount_usd = centsOf(amount.typed_usd);
  if (amount_usd === null) return invalid('amount', 'not_whole_cents');
  if (kind === 'transfer' && (typed.toRecipientId === null || typed.toRecipientId === typed.recipientId))
    return invalid('toRecipientId', 'missing');
  const corrected = typed.runNo === null ? null : await findRun(game.pool, game.gameId, { runNo: typed.runNo });
  if (typed.runNo !== null && corrected === null) return invalid('runNo', 'unknown');
  return await inTransaction(game.pool, async (client): Promise<Proposed> => {
    const refusal = await lockPreparer(client, game.gameId, actor);
    if (refusal !== null) return { ok: false, reason: refusal };
    const wanted = [typed.recipientId, ...(kind === 'transfer' && typed.toRecipientId !== null ? [typed.toRecipientId] : [])];
    const known = await listKnownRecipients(client, game.gameId, wanted);
    if (!known.includes(typed.recipientId)) return invalid('recipientId', 'unknown');
    if (known.length < wanted.length) return invalid('toRecipientId', 'unknown');
    const pairId = kind === 'transfer' ? await drawPairId(client) : null;
    const about = { kind, reason: text, correctsRunId: corrected?.runId ?? null, correctsPeriodId: typed.periodId, pairId };
    const add = async (adjustment: Pick<NewAdjustment, 'recipientId' | 'amount_usd'>): Promise<number> => {
      const id = await insertAdjustment(client, game.gameId, actor, { ...about, ...adjustment });
      await audit(client, game, actor, 'proposed an adjustment', `adjustment ${id}`, { ...adjustment, kind, reason: text });
      return id;
    };
    const adjustmentId = await add({ recipientId: typed.recipientId, amount_usd });
    if (kind === 'transfer' && typed.toRecipientId !== null)
      await add({ recipientId: typed.toRecipientId, amount_usd: negateMoney(amount_usd) });
    return { ok: true, adjustmentId };
  });
}

/** An amount of either sign in whole cents; null when it is finer. */
function centsOf(amount: string): string | null {
  const cents = wholeCentsOf(amount.replace(/^-/, ''));
  return cents === null ? null : amount.startsWith('-') ? negateMoney(cents) : cents;
}

export type Decided =
  | { ok: true; voidedSubmission: boolean }
  | { ok: false; reason: PreparerRefusal | ApproverRefusal | 'same_person' | 'moved_on' };

/**
 * Confirms what another person proposed, or withdraws it. A confirmed adjustment is part of the next run, and of the current draft, which is composed
 * again. Confirming doesn't count as work on the run.
 */
export async function decideProposal(
  game: OpenGame,
  actor: Actor,
  { adjustmentId, decision }: { adjustmentId: number; decision: ProposalDecision },
): Promise<Decided> {
  const findProposer = (): Promise<string | null> => findAdjustmentProposer(game.pool, { gameId: game.gameId, adjustmentId });
  return await decide(game, actor, { subject: `adjustment ${adjustmentId}`, decision, findProposer }, (client) =>
    decideAdjustment(client, { gameId: game.gameId, adjustmentId }, actor, decision).then((count) => count > 0),
  );
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
export type PolicyProposed =
  | { ok: true }
  | { ok: false; reason: PreparerRefusal | 'another_waits' }
  | { ok: false; reason: 'invalid'; fields: PolicyField[] };

/** Proposes what small amounts, re-checks, notes and second approvers depend on. It applies once a second person confirms it. */
export async function proposePolicy(game: OpenGame, actor: Actor, typed: TypedPolicy): Promise<PolicyProposed> {
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
  const policy: PayoutPolicy = {
    minimum_usd,
    secondApprovalFrom_usd,
    firstPaymentFrom_usd,
    recheckHours,
    changePercent,
    holdsBaseMismatch,
  };
  return await inTransaction(game.pool, async (client): Promise<PolicyProposed> => {
    const refusal = await lockPreparer(client, game.gameId, actor);
    if (refusal !== null) return { ok: false, reason: refusal };
    await lockRunsOf(client, game.gameId);
    if (!(await insertPolicy(client, game.gameId, actor, policy))) return { ok: false, reason: 'another_waits' };
    await audit(client, game, actor, 'proposed a payout policy', 'payout policy', { ...policy });
    return { ok: true };
  });
}

/** Confirms a policy another person proposed, or withdraws it. A draft is composed under it; a submitted run that it changes returns to draft. */
export async function decideProposedPolicy(
  game: OpenGame,
  actor: Actor,
  { policyNo, decision }: { policyNo: number; decision: ProposalDecision },
): Promise<Decided> {
  const findProposer = (): Promise<string | null> => findPolicyProposer(game.pool, { gameId: game.gameId, policyNo });
  return await decide(game, actor, { subject: 'payout policy', decision, findProposer }, (client) =>
    decidePolicy(client, { gameId: game.gameId, policyNo }, actor, decision),
  );
}

async function decide(
  game: OpenGame,
  actor: Actor,
  { subject, decision, findProposer }: { subject: string; decision: ProposalDecision; findProposer: () => Promise<string | null> },
  work: (client: pg.ClientBase) => Promise<boolean>,
): Promise<Decided> {
  const decided = await inTransaction(game.pool, async (client): Promise<Decided> => {
    const refusal = await lockPreparer(client, game.gameId, actor);
    if (refusal !== null) return { ok: false, reason: refusal };
    await lockRunsOf(client, game.gameId);
    const run = await lockOpenRun(client, game.gameId);
    if (!(await work(client))) return { ok: false, reason: 'moved_on' };
    await audit(client, game, actor, decision === 'confirmed' ? 'confirmed a proposal' : 'withdrew a proposal', subject, {});
    return { ok: true, voidedSubmission: decision === 'confirmed' && (await settleRun(client, game, run, subject)) };
  });
  if (decided.ok || decided.reason !== 'moved_on' || decision === 'withdrawn') return decided;
  const proposer = await findProposer();
  if (proposer === null) return decided;
  const reason = proposer === actor.id ? 'same_person' : await findRefusal(game.db, actor.id, proposer);
  const attempt = { actor, gameId: game.gameId, what: 'confirmation of a proposal', subject };
  return reason === null ? decided : await auditRefusal(game.db, attempt, { ok: false, reason });
}

async function audit(
  client: pg.ClientBase,
  { gameId }: OpenGame,
  actor: Actor,
  act: string,
  subject: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordPayoutAudit(client, { gameId, actor: actor.email, act, subject }, detail);
}
