import { lockRunsOf } from '#lib/games/writes.ts';
import { compareMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceRun } from '../notices/announce.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import { judgeRun } from './find-close.ts';
import { listFindings, listRunNotes } from './reads/close-facts.ts';
import { findPolicyNo, lockRun, type Run } from './reads/find-run.ts';
import { findPayoutPause } from './reads/payout-pause.ts';
import type { Close } from './rules/close-checks.ts';
import { CONCLUSIONS, type Conclusion } from './rules/policy.ts';
import { digestContent, normalizeContent, RULES_VERSION, type RunContent } from './rules/run-content.ts';
import { type Composition, composeRun } from './writes/composition.ts';
import {
  asPreparer,
  insertFinding,
  insertNote,
  type PreparerRefusal,
  recordWork,
  refreshBasis,
  setSubmitted,
  withRun,
} from './writes/run-states.ts';

export type SubmitResult =
  | { ok: true; run: Run }
  | { ok: false; reason: PreparerRefusal | 'moved_on' | 'paused' }
  /** What would be paid is no longer what the person saw; the draft shows it now. */
  | { ok: false; reason: 'changed'; run: Run }
  /** Something blocks, or a note is missing. */
  | { ok: false; reason: 'not_ready'; close: Close };

/**
 * Submits a draft for approval exactly as the person saw it: `draftDigest` is the hex digest they were shown. Everything is composed again in the same
 * transaction; if the result differs, the draft shows it and nothing is submitted.
 */
export async function submitRun(game: OpenGame, actor: Actor, runId: number, draftDigest: string): Promise<SubmitResult> {
  return await asPreparer(game, actor, async (tx): Promise<SubmitResult> => {
    // What Invo answers is stored before or after the submission, never between its checks and its commit. A pause waits for the lock too.
    await lockRunsOf(tx, game.gameId);
    const run = await lockRun(tx, game.gameId, runId);
    // The same form sent again after its answer was lost.
    if (run?.state === 'submitted' && run.draftDigest === draftDigest && run.submittedBy?.id === actor.id) return { ok: true, run };
    if (run?.state !== 'draft') return { ok: false, reason: 'moved_on' };
    if ((await findPayoutPause(tx, game.gameId)) !== null) return { ok: false, reason: 'paused' };
    const composed = await composeRun(tx, await refreshBasis(tx, run), actor.id, game.now());
    if (composed.run.draftDigest !== draftDigest) return { ok: false, reason: 'changed', run: composed.run };
    const close = await judgeRun(game, tx, composed.run);
    if (close.isBlocked || close.openNotes > 0) return { ok: false, reason: 'not_ready', close };
    const policy = await findPolicyNo(tx, run.gameId, composed.run.policyNo);
    const notes = await listRunNotes(tx, composed.run);
    const findings = await listFindings(tx, composed.run);
    const content = contentOf(game, composed, { policy, close, notes, findings });
    const { payable } = composed.run.totals;
    const isLarge = policy.secondApprovalFrom_usd !== null && compareMoney(payable, policy.secondApprovalFrom_usd) >= 0;
    const digest = digestContent(content);
    await setSubmitted(tx, run, actor, { content, digest, approvalsWanted: isLarge ? 2 : 1 });
    const detail = { payable_usd: payable, content_digest: digest };
    await recordWork(tx, run, actor, { as: 'submitted', act: 'submitted payout run', detail });
    await announceRun(tx, composed.run, 'run_submitted', actor.id);
    return { ok: true, run: (await lockRun(tx, game.gameId, runId)) ?? run };
  });
}

function contentOf(
  game: OpenGame,
  { run, digests, holds, adjustments, returned }: Composition,
  { policy, close, notes, findings }: Pick<RunContent, 'policy' | 'notes' | 'findings'> & { close: Close },
): RunContent {
  return normalizeContent({
    v: 1,
    rules: RULES_VERSION,
    game: game.slug,
    environment: game.environment,
    runNo: run.runNo,
    window: run.window,
    snapshotId: run.snapshotId,
    snapshotDigest: run.snapshotDigest,
    previous: run.previousContentDigest,
    policy,
    totals: run.totals,
    lineCount: run.lineCount,
    payableCount: run.payableCount,
    ...digests,
    holds: holds.map(({ holdId, recipientId, periodId, amount_usd, reason }) => ({ holdId, recipientId, periodId, amount_usd, reason })),
    adjustments,
    returned,
    checks: close.items.map(({ key, group, count, amount_usd, held_usd, facts }) => ({ key, group, count, amount_usd, held_usd, facts })),
    // A note that answers facts of before is no part of what is approved.
    notes: notes.filter(({ checkKey, facts }) => close.items.some((item) => item.key === checkKey && item.facts === facts)),
    findings,
    composedAt: run.composedAt ?? '',
    ...(run.eurRate !== null && { eurRate: run.eurRate }),
  });
}

/** Characters of a note on a check, and of a finding. */
const NOTE_LENGTH_MAX = 1_000;

export type NoteResult = { ok: true } | { ok: false; reason: PreparerRefusal | 'moved_on' | 'changed' | 'noted' | SharedTextRefusal };
/** `bad_count`: not a whole number from 1 to `countMax`, the renewals that have no attribution. */
export type FindingResult = NoteResult | { ok: false; reason: 'bad_count'; countMax: number };

/** Stores a note on an item of the close, bound to the facts the person saw. Refused when the item shows other facts now. */
export async function noteCheck(
  game: OpenGame,
  actor: Actor,
  runId: number,
  { checkKey, facts, note }: { checkKey: string; facts: string; note: string },
): Promise<NoteResult> {
  const typed = parseSharedNote(note, NOTE_LENGTH_MAX);
  if (!typed.ok) return typed;
  const { text } = typed;
  return await withRun(game, actor, { runId, from: ['draft'] }, async (tx, run): Promise<NoteResult> => {
    const { items } = await judgeRun(game, tx, run);
    if (!items.some((item) => item.key === checkKey && item.facts === facts && item.group === 'note'))
      return { ok: false, reason: 'changed' };
    const stored = await insertNote(tx, run, actor, { checkKey, facts, note: text });
    if (stored !== 'stored') return stored === 'same' ? { ok: true } : { ok: false, reason: 'noted' };
    await recordWork(tx, run, actor, { as: 'noted', act: 'noted a check of payout run', detail: { check: checkKey } });
    return { ok: true };
  });
}

/** Stores what a person found out about renewals without attribution of a run's month. It belongs to the month and outlasts the run. */
export async function recordFinding(
  game: OpenGame,
  actor: Actor,
  runId: number,
  { reason, renewalCount, conclusion, note }: { reason: string; renewalCount: number; conclusion: string; note: string },
): Promise<FindingResult> {
  const typed = parseSharedNote(note, NOTE_LENGTH_MAX);
  if (!typed.ok) return typed;
  const { text } = typed;
  if (!CONCLUSIONS.includes(conclusion as Conclusion)) return { ok: false, reason: 'missing' };
  return await withRun(game, actor, { runId, from: ['draft'] }, async (tx, run): Promise<FindingResult> => {
    const { items } = await judgeRun(game, tx, run);
    const item = items.find(({ key }) => key === reason);
    if (item === undefined) return { ok: false, reason: 'changed' };
    if (!Number.isInteger(renewalCount) || renewalCount < 1 || renewalCount > item.count)
      return { ok: false, reason: 'bad_count', countMax: item.count };
    await insertFinding(tx, run, actor, { reason, renewalCount, conclusion, note: text });
    const detail = { reason, renewals: renewalCount, conclusion };
    await recordWork(tx, run, actor, { as: 'found', act: 'recorded a finding for payout run', detail });
    return { ok: true };
  });
}
