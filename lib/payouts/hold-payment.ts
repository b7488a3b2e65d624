import type { Db } from '#db/kit/open.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { compareInstants, parseInstant } from '../core/instant.ts';
import { compareMoney, formatUsd, normalizeMoney, signOfMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedAmount, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { lockOpenRun, recomposeOpenRun } from './draft-run.ts';
import { countHeldWhole, findAttributedPeriod, findDue, listKnownRecipients } from './reads/run-facts.ts';
import { HOLD_REASONS } from './rules/policy.ts';
import { insertHold, insertMinimum, releaseHoldRow } from './writes/balances.ts';
import { asPreparer, type PreparerRefusal, recordEditor } from './writes/run-states.ts';

/** A hold as it was typed. */
export interface TypedHold {
  recipientIds: readonly number[];
  /** One period of one recipient; null: the recipients as a whole. */
  periodId: number | null;
  /** USD; empty: everything due. */
  amount: string;
  reason: string;
  note: string;
  /** ISO 8601; empty: until it is released. */
  expiresAt: string;
}

/** What a person should know about a hold they placed. */
interface HoldHints {
  /** USD due to the recipient in the current run, when the amount is more than that; null: it isn't. */
  dueAtMost_usd: string | null;
  /** Recipients who had everything due on hold already. */
  heldAlready: number;
}

const NO_HINTS: HoldHints = { dueAtMost_usd: null, heldAlready: 0 };

type HoldField = 'amount' | 'note' | 'expiresAt' | 'periodId' | 'reason';
export type HoldResult =
  | ({ ok: true; count: number; voidedSubmission: boolean } & HoldHints)
  | { ok: false; reason: PreparerRefusal | 'unknown_recipient' | 'no_run' }
  | { ok: false; reason: 'invalid'; field: HoldField; problem: SharedTextRefusal | 'not_an_amount' | 'past' | 'unknown' };

const invalid = (field: HoldField, problem: Extract<HoldResult, { reason: 'invalid' }>['problem']): HoldResult => ({
  ok: false,
  reason: 'invalid',
  field,
  problem,
});

/** Holds payments of recipients until they are released or the hold expires. A draft is composed again; a submitted run that it concerns returns to draft. `key`: see `namesAccountOf`. */
export async function placeHold(game: OpenGame, actor: Actor, typed: TypedHold, key: PayeeKey | null = null): Promise<HoldResult> {
  const note = parseSharedNote(typed.note, WHY_LENGTH_MAX);
  if (!note.ok) return invalid('note', note.reason);
  const reason = HOLD_REASONS.find((each) => each === typed.reason);
  if (reason === undefined) return invalid('reason', 'unknown');
  const amount = typed.amount.trim() === '' ? null : parseTypedAmount(typed.amount, { known_usd: '0' });
  if (amount !== null && 'error' in amount) return invalid('amount', 'not_an_amount');
  const expiresAt = typed.expiresAt === '' ? null : parseInstant(typed.expiresAt);
  if (typed.expiresAt !== '' && expiresAt === null) return invalid('expiresAt', 'unknown');
  if (expiresAt !== null && compareInstants(expiresAt, game.now()) <= 0) return invalid('expiresAt', 'past');
  // A period is of one recipient.
  if (typed.periodId !== null && typed.recipientIds.length > 1) return invalid('periodId', 'unknown');
  const hold = { amount_usd: amount?.amount_usd ?? null, onlyRunId: null, reason, note: note.text, expiresAt };
  return await change(game, actor, 'hold placed', async ({ tx, run, audit }) => {
    const known = await listKnownRecipients(tx, game.gameId, typed.recipientIds);
    if (known.length === 0 || known.length < typed.recipientIds.length) return { ok: false, reason: 'unknown_recipient' };
    if (await namesAccountOf(tx, game.gameId, key, { text: note.text, recipientIds: known })) return invalid('note', 'account');
    const period = typed.periodId === null ? null : await findAttributedPeriod(tx, game.gameId, typed.periodId, known[0] ?? 0);
    if (typed.periodId !== null && period === null) return invalid('periodId', 'unknown');
    const heldAlready = await countHeldWhole(tx, game.gameId, known, game.now());
    const due_usd = hold.amount_usd === null || period !== null ? null : await findDue(tx, run, known[0] ?? 0);
    const isBeyond = due_usd !== null && compareMoney(hold.amount_usd ?? '0', due_usd) > 0;
    for (const recipientId of known) {
      const amount_usd = hold.amount_usd ?? period?.attributed_usd ?? null;
      await insertHold(tx, game.gameId, actor, { ...hold, recipientId, period, amount_usd });
      await audit(recipientId, 'placed a hold', { reason, amount_usd: hold.amount_usd, period_id: typed.periodId });
    }
    return { ok: true, count: known.length, heldAlready, dueAtMost_usd: isBeyond ? due_usd : null };
  });
}

/** Excludes recipients from a draft: their money is carried forward. */
export async function excludeRecipients(
  game: OpenGame,
  actor: Actor,
  { runId, recipientIds, note }: { runId: number; recipientIds: readonly number[]; note: string },
): Promise<HoldResult> {
  const typed = parseSharedNote(note, WHY_LENGTH_MAX);
  if (!typed.ok) return invalid('note', typed.reason);
  const { text } = typed;
  return await change(game, actor, 'recipients excluded', async ({ tx, run, audit }) => {
    if (run?.state !== 'draft' || run.runId !== runId) return { ok: false, reason: 'no_run' };
    const known = await listKnownRecipients(tx, game.gameId, recipientIds);
    if (known.length === 0 || known.length < recipientIds.length) return { ok: false, reason: 'unknown_recipient' };
    for (const recipientId of known) {
      const hold = { recipientId, period: null, amount_usd: null, onlyRunId: run.runId, reason: 'excluded', note: text, expiresAt: null };
      await insertHold(tx, game.gameId, actor, hold);
      await audit(recipientId, 'excluded from a run', { run_no: run.runNo });
    }
    await recordEditor(tx, run, actor.id, 'excluded');
    return { ok: true, count: known.length };
  });
}

/** Releases a hold or an exclusion with a note. The person who releases one shapes the current run, and can't approve it. */
export async function releaseHold(game: OpenGame, actor: Actor, { holdId, note }: { holdId: number; note: string }): Promise<HoldResult> {
  const typed = parseSharedNote(note, WHY_LENGTH_MAX);
  if (!typed.ok) return invalid('note', typed.reason);
  const { text } = typed;
  return await change(game, actor, 'hold released', async ({ tx, run, audit }) => {
    const released = await releaseHoldRow(tx, { gameId: game.gameId, holdId }, actor, text);
    if (released === null) return { ok: true, count: 0 };
    await audit(released.recipientId, 'released a hold', { hold_id: holdId, ...aboutRun(run) });
    if (run !== null) await recordEditor(tx, run, actor.id, 'released');
    return { ok: true, count: 1 };
  });
}

/** Sets the least that is paid to a recipient at once; empty: the policy's again. */
export async function setMinimum(
  game: OpenGame,
  actor: Actor,
  { recipientId, minimum }: { recipientId: number; minimum: string },
): Promise<HoldResult> {
  const amount = minimum.trim() === '' ? null : parseTypedAmount(minimum, { known_usd: '0' });
  if (amount !== null && 'error' in amount) return invalid('amount', 'not_an_amount');
  return await change(game, actor, 'minimum changed', async ({ tx, run, audit }) => {
    if ((await listKnownRecipients(tx, game.gameId, [recipientId])).length === 0) return { ok: false, reason: 'unknown_recipient' };
    const minimum_usd = amount?.amount_usd ?? null;
    await insertMinimum(tx, { gameId: game.gameId, recipientId, minimum_usd }, actor);
    await audit(recipientId, 'set the minimum payout', { minimum_usd, ...aboutRun(run) });
    if (run !== null) await recordEditor(tx, run, actor.id, 'set_minimum');
    return { ok: true, count: 1 };
  });
}

type Change = ({ ok: true; count: number } & Partial<HoldHints>) | Extract<HoldResult, { ok: false }>;
type OpenRun = Awaited<ReturnType<typeof lockOpenRun>>;

interface ChangedGame {
  tx: Db;
  /** The run that isn't approved; null: there is none. */
  run: OpenRun;
  audit: (recipientId: number, act: AuditAct, detail: Record<string, unknown>) => Promise<void>;
}

/** Runs one change of a preparer with the game's current run locked, and composes that run again after it. */
async function change(game: OpenGame, actor: Actor, cause: string, work: (changed: ChangedGame) => Promise<Change>): Promise<HoldResult> {
  return await asPreparer(game, actor, async (tx): Promise<HoldResult> => {
    await lockRunsOf(tx, game.gameId);
    const run = await lockOpenRun(tx, game.gameId);
    const audit: ChangedGame['audit'] = (recipientId, act, detail) =>
      recordAudit(tx, { gameId: game.gameId, actor: actor.email, act, subject: `recipient ${recipientId}`, detail });
    const changed = await work({ tx, run, audit });
    if (!changed.ok) return changed;
    return { ...NO_HINTS, ...changed, voidedSubmission: changed.count > 0 && (await recomposeOpenRun(tx, game, run, cause)) };
  });
}

/** The run a change was work on; verification compares its editors with it. */
function aboutRun(run: OpenRun): { run_no?: number } {
  return run === null ? {} : { run_no: run.runNo };
}

/** What a person should know about a hold they placed; empty: nothing. */
export function formatHoldHints({ dueAtMost_usd, heldAlready }: HoldHints): string {
  const recipients = heldAlready === 1 ? '1 recipient' : `${heldAlready} recipients`;
  const already = `${recipients} already had everything due on hold: every hold must be released before they are paid.`;
  return [dueAtMost_usd === null ? '' : formatBeyond(dueAtMost_usd), heldAlready === 0 ? '' : already].join(' ').trim();
}

function formatBeyond(due_usd: string): string {
  return signOfMoney(due_usd) > 0
    ? `This run has only ${formatUsd(normalizeMoney(due_usd))} due: all of it is held, and later money up to the amount.`
    : 'Nothing is due in this run: money that comes later is held up to the amount.';
}
