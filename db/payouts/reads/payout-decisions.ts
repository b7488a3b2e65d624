import { escapeLike } from '#db/evidence/reads/sheet-source.ts';
import { maskName } from '#lib/core/roles.ts';
import type { Outcome } from '#lib/payouts/rules/decide-line.ts';
import { hasFirstRun, isStranded, type Queryable, type RunBasis } from './run-facts.ts';

/** The name Invo last reported for the recipient in a column; null: none. $1 is the game. */
export const NAME_OF = (column: string): string => `(select r.player_name from snapshot_recipient r
  where r.game_id = $1 and r.recipient_player_id = ${column} order by r.snapshot_id desc limit 1)`;

const unmask = <Row extends { name: string | null }>(rows: Row[], canSeeEmails: boolean): Row[] =>
  rows.map((row) => ({ ...row, name: maskName(row.name, canSeeEmails) }));

/** A line with money due, as a hold or an exclusion selects it. */
export interface DueLine {
  recipientId: number;
  name: string | null;
  due_usd: string;
  payable_usd: string;
  outcome: Outcome;
}

/** Lists the lines of a run with money due, largest first, found by part of a name or the beginning of a player ID; and how many there are. */
export async function listDueLines(
  from: Queryable,
  { gameId, runId }: Pick<RunBasis, 'gameId' | 'runId'>,
  { find, canSeeEmails }: { find: string; canSeeEmails: boolean },
  limit: number,
): Promise<{ rows: DueLine[]; count: number }> {
  const { rows } = await from.query<DueLine & { count: number }>(
    `select line.recipient_player_id as "recipientId", r.player_name as name, line.due_usd, line.payable_usd, line.outcome, count(*) over ()::int as count
     from payout_line line left join snapshot_recipient r
       on r.game_id = line.game_id and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
     where line.game_id = $1 and line.run_id = $2 and line.due_usd > 0
       and ($3 = '' or r.player_name ilike $4 and ($7 or r.player_name !~ '[@＠]') or line.recipient_player_id::text like $5)
     order by line.due_usd desc, line.recipient_player_id limit $6`,
    [gameId, runId, find, `%${escapeLike(find)}%`, /^\d+$/.test(find) ? `${find}%` : '', limit, canSeeEmails],
  );
  return { rows: unmask(rows, canSeeEmails).map(({ count: _, ...line }) => line), count: rows[0]?.count ?? 0 };
}

/** A hold or an exclusion that applies now. */
export interface HoldInForce {
  holdId: number;
  recipientId: number;
  name: string | null;
  periodId: number | null;
  /** USD held at most; null: everything due. */
  amount_usd: string | null;
  reason: string;
  note: string;
  placedBy: string;
  placedAt: string;
  /** null: until it is released. */
  expiresAt: string | null;
}

/** Lists the holds in force at an instant, with the exclusions from this run, newest first. */
export async function listHoldsInForce(
  from: Queryable,
  { gameId, runId }: Pick<RunBasis, 'gameId' | 'runId'>,
  now: string,
  canSeeEmails: boolean,
): Promise<HoldInForce[]> {
  const { rows } = await from.query<HoldInForce>(
    `select h.hold_id as "holdId", h.recipient_player_id as "recipientId", ${NAME_OF('h.recipient_player_id')} as name, h.period_id as "periodId",
       h.amount_usd, h.reason_code as reason, h.note, p.name as "placedBy", h.placed_at as "placedAt", h.expires_at as "expiresAt"
     from payout_hold h join person p on p.id = h.placed_by
     where h.game_id = $1 and h.released_at is null and (h.expires_at is null or h.expires_at > $3) and (h.only_run_id is null or h.only_run_id = $2)
     order by h.hold_id desc`,
    [gameId, runId, now],
  );
  return unmask(rows, canSeeEmails);
}

/** An adjustment with what became of it. */
export interface StoredAdjustment {
  adjustmentId: number;
  recipientId: number;
  name: string | null;
  amount_usd: string;
  kind: string;
  reason: string;
  correctsRunNo: number | null;
  correctsPeriodId: number | null;
  /** Shared by the two halves of a transfer. */
  pairId: number | null;
  proposedBy: string;
  proposedAt: string;
  /** Whether the person who asks proposed it. */
  isMine: boolean;
  state: 'proposed' | 'confirmed' | 'withdrawn';
  /** Who confirmed or withdrew it; null: it waits. */
  decidedBy: string | null;
  /** The submitted or approved run that includes it. */
  runNo: number | null;
  /** Confirmed, and no run will include it: it opens the first run, which is in review or approved. */
  isStranded: boolean;
}

/** Finds the name Invo last reported for a recipient; null: none. */
export async function findRecipientName(from: Queryable, gameId: number, recipientId: number): Promise<string | null> {
  const { rows } = await from.query<{ name: string | null }>(`select ${NAME_OF('$2')} as name`, [gameId, recipientId]);
  return rows[0]?.name ?? null;
}

/** Adjustments one page lists; those that ask for something come first. */
const ADJUSTMENTS_MAX = 500;

/** Lists the adjustments of a game as a person sees them: first those that wait or that no run will include, newest first. */
export async function listAdjustments(
  from: Queryable,
  gameId: number,
  personId: string,
  canSeeEmails: boolean,
): Promise<StoredAdjustment[]> {
  const { rows } = await from.query<StoredAdjustment>(
    `select a.adjustment_id as "adjustmentId", a.recipient_player_id as "recipientId", ${NAME_OF('a.recipient_player_id')} as name, a.amount_usd, a.kind,
       a.reason, corrected.run_no as "correctsRunNo", a.corrects_period_id as "correctsPeriodId", a.pair_id as "pairId", author.name as "proposedBy",
       a.proposed_at as "proposedAt", a.proposed_by = $2 as "isMine", ${isStranded('a')} as "isStranded", run.run_no as "runNo", decider.name as "decidedBy",
       case when a.withdrawn_at is not null then 'withdrawn' when a.confirmed_at is not null then 'confirmed' else 'proposed' end as state
     from payout_adjustment a join person author on author.id = a.proposed_by
       left join person decider on decider.id = coalesce(a.withdrawn_by, a.confirmed_by)
       left join payout_run corrected on corrected.game_id = a.game_id and corrected.run_id = a.corrects_run_id
       left join payout_run run on run.game_id = a.game_id and run.run_id = a.run_id
     where a.game_id = $1 order by (a.confirmed_at is not null or a.withdrawn_at is not null) and not ${isStranded('a')}, a.adjustment_id desc limit $3`,
    [gameId, personId, ADJUSTMENTS_MAX],
  );
  return unmask(rows, canSeeEmails);
}

/** Whether an amount owed from before Sharebook can still be proposed: the first run is neither in review nor approved. */
export async function mayBringForward(from: Queryable, gameId: number): Promise<boolean> {
  const { rows } = await from.query<{ may: boolean }>(`select not ${hasFirstRun('game')} as may from game where game.game_id = $1`, [
    gameId,
  ]);
  return rows[0]?.may ?? false;
}

/** What an adjustment that a run includes says, and the two people behind it. */
export interface AdjustmentWords {
  reason: string;
  proposedBy: string;
  confirmedBy: string | null;
}

/** Finds reason and people of the adjustments that a run includes, by id. */
export async function findAdjustmentWords(
  from: Queryable,
  { gameId, runId }: { gameId: number; runId: number },
): Promise<Map<number, AdjustmentWords>> {
  const { rows } = await from.query<AdjustmentWords & { id: number }>(
    `select a.adjustment_id as id, a.reason, author.name as "proposedBy", decider.name as "confirmedBy"
     from payout_adjustment a join person author on author.id = a.proposed_by left join person decider on decider.id = a.confirmed_by
     where a.game_id = $1 and a.run_id = $2`,
    [gameId, runId],
  );
  return new Map(rows.map(({ id, ...words }) => [id, words]));
}
