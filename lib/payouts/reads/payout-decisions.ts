import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { maskName } from '#lib/core/roles.ts';
import { escapeLike } from '#lib/evidence/reads/month-snapshot.ts';
import type { NamedLine } from '../rules/decide-line.ts';
import type { NewAdjustment } from '../rules/policy.ts';
import { hasFirstRun, isStranded, type RunBasis } from './run-facts.ts';

/** The name Invo last reported for a recipient, by their player ID or by the column that has it; null: none. */
export const nameOf = (gameId: number, recipient: string | number): RawBuilder<string | null> => sql`(
  select named.player_name from snapshot_recipient named where named.game_id = ${gameId}
    and named.recipient_player_id = ${typeof recipient === 'string' ? sql.ref(recipient) : recipient} order by named.snapshot_id desc limit 1)`;

const unmask = <Row extends { name: string | null }>(rows: Row[], canSeeEmails: boolean): Row[] =>
  rows.map((row) => ({ ...row, name: maskName(row.name, canSeeEmails) }));

/** A line with money due, as a hold or an exclusion selects it. */
export type DueLine = Pick<NamedLine, 'recipientId' | 'name' | 'due_usd' | 'payable_usd' | 'outcome'>;

/** Lists the lines of a run with money due, largest first, found by part of a name or the beginning of a player ID; and how many there are. */
export async function listDueLines(
  db: Db,
  { gameId, runId }: Pick<RunBasis, 'gameId' | 'runId'>,
  { find, canSeeEmails }: { find: string; canSeeEmails: boolean },
  limit: number,
): Promise<{ rows: DueLine[]; count: number }> {
  const idFrom = /^\d+$/.test(find) ? `${find}%` : '';
  const { rows } = await sql<DueLine & { count: number }>`
    select line.recipient_player_id as "recipientId", r.player_name as name, line.due_usd, line.payable_usd, line.outcome, count(*) over ()::int as count
    from payout_line line left join snapshot_recipient r
      on r.game_id = ${gameId} and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
    where line.game_id = ${gameId} and line.run_id = ${runId} and line.due_usd > 0
      and (${find} = '' or r.player_name ilike ${`%${escapeLike(find)}%`} and (${canSeeEmails} or r.player_name !~ '[@＠]')
        or line.recipient_player_id::text like ${idFrom})
    order by line.due_usd desc, line.recipient_player_id limit ${limit}`.execute(db);
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
  db: Db,
  { gameId, runId }: Pick<RunBasis, 'gameId' | 'runId'>,
  now: string,
  canSeeEmails: boolean,
): Promise<HoldInForce[]> {
  const { rows } = await sql<HoldInForce>`
    select h.hold_id as "holdId", h.recipient_player_id as "recipientId", ${nameOf(gameId, 'h.recipient_player_id')} as name, h.period_id as "periodId",
      h.amount_usd, h.reason_code as reason, h.note, p.name as "placedBy", h.placed_at as "placedAt", h.expires_at as "expiresAt"
    from payout_hold h join person p on p.id = h.placed_by
    where h.game_id = ${gameId} and h.released_at is null and (h.expires_at is null or h.expires_at > ${now})
      and (h.only_run_id is null or h.only_run_id = ${runId})
    order by h.hold_id desc`.execute(db);
  return unmask(rows, canSeeEmails);
}

/** An adjustment with what became of it. */
export interface StoredAdjustment extends Omit<NewAdjustment, 'correctsRunId'> {
  adjustmentId: number;
  name: string | null;
  correctsRunNo: number | null;
  proposedBy: string;
  proposedAt: string;
  /** Whether the current person proposed it. */
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
export async function findRecipientName(db: Db, gameId: number, recipientId: number): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select ${nameOf(gameId, recipientId)} as name`.execute(db);
  return rows[0]?.name ?? null;
}

/** Adjustments one page lists; those that ask for something come first. */
const ADJUSTMENTS_MAX = 500;

/** Lists the adjustments of a game as a person sees them: first those that wait or that no run will include, newest first. */
export async function listAdjustments(db: Db, gameId: number, personId: string, canSeeEmails: boolean): Promise<StoredAdjustment[]> {
  const { rows } = await sql<StoredAdjustment>`
    select a.adjustment_id as "adjustmentId", a.recipient_player_id as "recipientId", ${nameOf(gameId, 'a.recipient_player_id')} as name, a.amount_usd, a.kind,
      a.reason, corrected.run_no as "correctsRunNo", a.corrects_period_id as "correctsPeriodId", a.pair_id as "pairId", author.name as "proposedBy",
      a.proposed_at as "proposedAt", a.proposed_by = ${personId} as "isMine", ${isStranded(gameId, 'a')} as "isStranded", run.run_no as "runNo",
      decider.name as "decidedBy",
      case when a.withdrawn_at is not null then 'withdrawn' when a.confirmed_at is not null then 'confirmed' else 'proposed' end as state
    from payout_adjustment a join person author on author.id = a.proposed_by
      left join person decider on decider.id = coalesce(a.withdrawn_by, a.confirmed_by)
      left join payout_run corrected on corrected.game_id = ${gameId} and corrected.run_id = a.corrects_run_id
      left join payout_run run on run.game_id = ${gameId} and run.run_id = a.run_id
    where a.game_id = ${gameId}
    order by (a.confirmed_at is not null or a.withdrawn_at is not null) and not ${isStranded(gameId, 'a')}, a.adjustment_id desc
    limit ${ADJUSTMENTS_MAX}`.execute(db);
  return unmask(rows, canSeeEmails);
}

/** Whether an amount owed from before Sharebook can still be proposed: the first run is neither in review nor approved. */
export async function mayBringForward(db: Db, gameId: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select not ${hasFirstRun(gameId)} as may from game where game.game_id = ${gameId}`.execute(db);
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
  db: Db,
  { gameId, runId }: { gameId: number; runId: number },
): Promise<Map<number, AdjustmentWords>> {
  const { rows } = await sql<AdjustmentWords & { id: number }>`
    select a.adjustment_id as id, a.reason, author.name as "proposedBy", decider.name as "confirmedBy"
    from payout_adjustment a join person author on author.id = a.proposed_by left join person decider on decider.id = a.confirmed_by
    where a.game_id = ${gameId} and a.run_id = ${runId}`.execute(db);
  return new Map(rows.map(({ id, ...words }) => [id, words]));
}
