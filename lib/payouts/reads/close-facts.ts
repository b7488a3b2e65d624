import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseDetailFigures } from '#lib/fees/rules/detail-figures.ts';
import type { CloseFacts, CloseLine, ClosePeriod, CloseReversal, NewestAnswer } from '../rules/close-input.ts';
import type { Hold } from '../rules/compose-run.ts';
import type { Finding, RunNote } from '../rules/run-content.ts';
import { heldPeriods } from './holds.ts';
import { nameOf } from './payout-decisions.ts';
import { isContradicted, isStranded, newestAnswer, type RunBasis } from './run-facts.ts';

/** What the close of a month is judged by, beside its lines and reversals, what is held, and what closed months owe. */
export type MonthFacts = Omit<
  CloseFacts,
  | 'policy'
  | 'window'
  | 'now'
  | 'recheckFrom_minutes'
  | 'lines'
  | 'paidDetails'
  | 'missingSenders'
  | 'eurRate'
  | 'reversals'
  | 'baseMismatches'
  | 'openRefunds'
  | 'drift'
>;

/** Reads what the close of a month is judged by. */
export async function findMonthFacts(db: Db, basis: RunBasis, now: string): Promise<MonthFacts> {
  // One after the other: within a transaction they share a connection.
  const evidence = await findEvidence(db, basis);
  const earnedTwice = await listEarnedTwice(db, basis);
  const unattributed = await listUnattributed(db, basis);
  const endedHolds = await listEndedHolds(db, basis, now);
  const unconfirmedAdjustments = await listUnconfirmed(db, basis);
  const strandedAdjustments = await listStranded(db, basis);
  const notes = await listNotes(db, basis);
  const cardFees = await findCardFees(db, basis);
  return { ...evidence, earnedTwice, unattributed, endedHolds, unconfirmedAdjustments, strandedAdjustments, notes, cardFees };
}

type Evidence = Pick<MonthFacts, 'status' | 'isContradicted' | 'recheck' | 'pull' | 'precedes' | 'warnings' | 'netsToZeroCount'>;

async function findEvidence(db: Db, { gameId, window, snapshotId, previousRunId, runId }: RunBasis): Promise<Evidence> {
  const { rows } = await sql<Omit<Evidence, 'recheck' | 'pull'> & { answer: NewestAnswer; hasRuns: boolean }>`
    select snapshot.status,
      ${isContradicted(gameId, 'snapshot')} as "isContradicted",
      ${newestAnswer(gameId, 'snapshot')} as answer,
      exists (select from payout_run run where run.game_id = ${gameId} and run.state <> 'void' and run.run_id is distinct from ${runId}) as "hasRuns",
      (select coalesce(json_agg(json_build_object('name', c.name, 'expected', c.expected, 'actual', c.actual) order by c.check_no), '[]')
        from snapshot_check c where c.game_id = ${gameId} and c.snapshot_id = snapshot.snapshot_id and c.severity = 'warning' and not c.ok) as warnings,
      (select coalesce(sum(r.nets_to_zero_count), 0)::int from snapshot_recipient r where r.game_id = ${gameId} and r.snapshot_id = snapshot.snapshot_id) as "netsToZeroCount"
    from snapshot where snapshot.game_id = ${gameId} and snapshot.snapshot_id = ${snapshotId}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error(`there is no snapshot ${snapshotId} of ${window.start}`);
  const { hasRuns, answer, ...evidence } = found;
  return { ...evidence, ...answer, precedes: previousRunId !== null ? 'approved' : hasRuns ? 'missing' : 'first' };
}

/** What Invo answered last about the month of a run, and the hours for which its policy counts that. */
export interface RunAnswer extends NewestAnswer, Pick<CloseFacts, 'isContradicted'> {
  recheckHours: number;
}

/** Finds what Invo answered last about the month of a run. */
export async function findRunAnswer(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<RunAnswer> {
  const { rows } = await sql<Omit<RunAnswer, keyof NewestAnswer> & { answer: NewestAnswer }>`
    select ${newestAnswer(gameId, 'ours')} as answer, ${isContradicted(gameId, 'ours')} as "isContradicted", policy.recheck_hours as "recheckHours"
    from payout_run run
      join snapshot ours on ours.game_id = ${gameId} and ours.snapshot_id = run.snapshot_id
      join payout_policy policy on policy.game_id = ${gameId} and policy.policy_no = run.policy_no
    where run.game_id = ${gameId} and run.run_id = ${runId}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error(`there is no run ${runId}`);
  const { answer, ...rest } = found;
  return { ...answer, ...rest };
}

async function listEarnedTwice(db: Db, { gameId, snapshotId, runId }: RunBasis): Promise<CloseFacts['earnedTwice']> {
  const { rows } = await sql<CloseFacts['earnedTwice'][number]>`
    select distinct line.recipient_player_id as "recipientId", null as name, line.period_id as "periodId", run.run_no as "runNo",
      line.attributed_amount_usd::text as attributed_usd
    from payout_run run
      join snapshot_slice theirs on theirs.game_id = ${gameId} and theirs.snapshot_id = run.snapshot_id
      join renewal_line earlier on earlier.game_id = ${gameId} and earlier.slice_id = theirs.slice_id
      join snapshot_slice ours on ours.game_id = ${gameId} and ours.snapshot_id = ${snapshotId}
      join renewal_line line on line.game_id = ${gameId} and line.slice_id = ours.slice_id and line.period_id = earlier.period_id
    where run.game_id = ${gameId} and run.state = 'approved' and run.run_id is distinct from ${runId}
    order by line.period_id limit 1000`.execute(db);
  return rows;
}

/**
 * What tells the renewals without attribution of one reason from others: the slices of the snapshot that have them, with what the renewals without
 * attribution there come to. Invo's totals name no renewal; the detail reports of the month do, as they are read.
 */
const unattributedFacts = ({ gameId, snapshotId }: RunBasis, reason: RawBuilder<string>): RawBuilder<unknown> => sql`
  select sha256(convert_to(coalesce(string_agg(concat_ws('|', slice.window_start at time zone 'UTC', slice.window_end at time zone 'UTC',
      slice.unattributed_reasons ->> ${reason}, trim_scale(slice.settled_gross_usd - lines.gross), trim_scale(slice.invo_fee_usd - lines.fee),
      trim_scale(slice.partner_revenue_settled_usd - lines.partner)), ',' order by slice.window_start), ''), 'UTF8')) as facts
  from snapshot_slice s join slice on slice.game_id = ${gameId} and slice.slice_id = s.slice_id
    cross join lateral (select coalesce(sum(line.amount_usd), 0) as gross, coalesce(sum(line.invo_fee_usd), 0) as fee,
        coalesce(sum(line.partner_revenue_settled_usd), 0) as partner
      from renewal_line line where line.game_id = ${gameId} and line.slice_id = s.slice_id) lines
  where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId} and slice.unattributed_reasons ? ${reason}`;
const namedUnattributed = ({ gameId, window }: RunBasis, reason: RawBuilder<string>): RawBuilder<unknown> => sql`
  select coalesce(array_agg(named.period_id::text order by named.period_id), '{}') from unattributed_renewal named
  where named.game_id = ${gameId} and named.window_start = ${window.start} and named.window_end = ${window.end} and named.reason = ${reason}
    and named.period_id is not null`;

/** A finding answers the renewals it was recorded for: those of the same slices and amounts, and once reports named all of them, these and no others. */
async function listUnattributed(db: Db, basis: RunBasis): Promise<CloseFacts['unattributed']> {
  const { gameId, snapshotId, window } = basis;
  const reason = sql<string>`reason.key`;
  const { rows } = await sql<CloseFacts['unattributed'][number]>`
    select reason.key as reason, reason.value::int as count, encode(shown.facts, 'hex') as facts, coalesce((
        select sum(f.renewal_count) from unattributed_finding f
        where f.game_id = ${gameId} and f.window_start = ${window.start} and f.window_end = ${window.end} and f.reason = reason.key
          and (f.facts = shown.facts and (cardinality(f.period_ids) < reason.value::int or (${namedUnattributed(basis, reason)}) <@ f.period_ids)
            or f.facts is null and f.found_at >= snapshot.created_at)), 0)::int as "foundCount"
    from snapshot cross join lateral jsonb_each_text(unattributed_reasons) reason
      cross join lateral (${unattributedFacts(basis, reason)}) shown
    where snapshot.game_id = ${gameId} and snapshot.snapshot_id = ${snapshotId} order by reason.key`.execute(db);
  return rows;
}

/** What a finding is bound to: the facts of the renewals it is about, and which of them reports name. */
export async function findUnattributedFacts(db: Db, basis: RunBasis, reason: string): Promise<{ facts: string; periodIds: string[] }> {
  const given = sql<string>`${reason}::text`;
  const { rows } = await sql<{ facts: string; periodIds: string[] }>`
    select encode(shown.facts, 'hex') as facts, (${namedUnattributed(basis, given)}) as "periodIds"
    from (${unattributedFacts(basis, given)}) shown`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error(`no facts of ${reason} in snapshot ${basis.snapshotId}`);
  return found;
}

async function listEndedHolds(db: Db, { gameId, previousRunId }: RunBasis, now: string): Promise<CloseFacts['endedHolds']> {
  const { rows } = await sql<CloseFacts['endedHolds'][number]>`
    select recipient_player_id as "recipientId", null as name, hold_id as "holdId" from payout_hold
    where game_id = ${gameId} and only_run_id is null and least(released_at, expires_at) <= ${now}
      and least(released_at, expires_at) > coalesce(
        (select composed_at from payout_run where game_id = ${gameId} and run_id = ${previousRunId}), '-infinity')
    order by hold_id`.execute(db);
  return rows;
}

async function listUnconfirmed(db: Db, { gameId }: RunBasis): Promise<CloseFacts['unconfirmedAdjustments']> {
  const { rows } = await sql<CloseFacts['unconfirmedAdjustments'][number]>`
    select recipient_player_id as "recipientId", null as name, amount_usd from payout_adjustment
    where game_id = ${gameId} and confirmed_at is null and withdrawn_at is null order by adjustment_id`.execute(db);
  return rows;
}

/** Lists the confirmed adjustments that no run will include. */
async function listStranded(db: Db, { gameId }: RunBasis): Promise<CloseFacts['strandedAdjustments']> {
  const { rows } = await sql<CloseFacts['strandedAdjustments'][number]>`
    select a.recipient_player_id as "recipientId", ${nameOf(gameId, 'a.recipient_player_id')} as name, a.amount_usd from payout_adjustment a
    where a.game_id = ${gameId} and ${isStranded(gameId, 'a')} order by a.adjustment_id`.execute(db);
  return rows;
}

async function listNotes(db: Db, { gameId, runId }: RunBasis): Promise<CloseFacts['notes']> {
  const { rows } = await sql<CloseFacts['notes'][number]>`
    select check_key as "checkKey", encode(facts, 'hex') as facts from payout_note where game_id = ${gameId} and run_id = ${runId}`.execute(
    db,
  );
  return rows;
}

/** Reads what the detail reports of a month say of card fees; null: not read, or read of another snapshot. */
async function findCardFees(db: Db, { gameId, window, snapshotId }: RunBasis): Promise<CloseFacts['cardFees']> {
  const { rows } = await sql<{ figures: unknown }>`
    select figures from detail_month
    where game_id = ${gameId} and window_start = ${window.start} and window_end = ${window.end} and snapshot_id = ${snapshotId}`.execute(
    db,
  );
  const figures = parseDetailFigures(rows[0]?.figures);
  if (figures === null) return null;
  const { refunded, unlistedRefunds, card_fee } = figures;
  return { readCount: refunded.read, count: refunded.count + unlistedRefunds, amount_usd: card_fee.amount_usd };
}

/** Reads the periods whose base differs this month, and those of refunds that payments wait for, with what is held of each. */
export async function findHeldPeriods(
  db: Db,
  basis: RunBasis,
  holds: readonly (Hold & { reason: string })[],
): Promise<Pick<CloseFacts, 'baseMismatches' | 'openRefunds'>> {
  const { rows } = await sql<Omit<ClosePeriod, 'held_usd'> & { reason: string }>`
    select period_id as "periodId", recipient_player_id as "recipientId", ${nameOf(basis.gameId, 'found.recipient_player_id')} as name, attributed_usd::text, reason
    from (${heldPeriods(basis)}) found order by period_id`.execute(db);
  const heldFor = (wanted: string): ClosePeriod[] =>
    rows.flatMap(({ reason, ...period }) => {
      if (reason !== wanted) return [];
      const hold = holds.find((each) => each.periodId === period.periodId && each.reason === reason);
      return [{ ...period, held_usd: hold?.amount_usd ?? '0.00' }];
    });
  return { baseMismatches: heldFor('base_mismatch'), openRefunds: heldFor('open_refund') };
}

/** What earlier runs say of recipients, by id: the net of the run before, and whether any paid them. */
export async function findLineHistory(
  db: Db,
  { gameId, previousRunId, runId }: RunBasis,
): Promise<{ lastNet: Map<number, string>; paid: Set<number> }> {
  const last = await sql<{ id: number; net_usd: string }>`
    select recipient_player_id as id, (earned_usd - reversed_usd + pinned_usd)::text as net_usd
    from payout_line where game_id = ${gameId} and run_id = ${previousRunId}`.execute(db);
  const paid = await sql<{ id: number }>`
    select distinct line.recipient_player_id as id
    from payout_line line join payout_run run on run.game_id = ${gameId} and run.run_id = line.run_id
    where line.game_id = ${gameId} and run.state = 'approved' and line.payable_usd > 0 and run.run_id is distinct from ${runId}`.execute(
    db,
  );
  return { lastNet: new Map(last.rows.map(({ id, net_usd }) => [id, net_usd])), paid: new Set(paid.rows.map(({ id }) => id)) };
}

/** Lists the lines of a stored run as its close is judged by. */
export async function listCloseLines(db: Db, basis: RunBasis & { runId: number }): Promise<CloseLine[]> {
  const { rows } = await sql<Omit<CloseLine, 'lastNet_usd' | 'wasPaid'>>`
    select line.recipient_player_id as "recipientId", r.player_name as name, r.identity_id as "identityId", line.due_usd, line.held_usd, line.payable_usd,
      line.outcome, line.detail_no as "detailNo", (line.earned_usd - line.reversed_usd + line.pinned_usd)::text as net_usd
    from payout_line line left join snapshot_recipient r
      on r.game_id = ${basis.gameId} and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
    where line.game_id = ${basis.gameId} and line.run_id = ${basis.runId} order by line.recipient_player_id`.execute(db);
  const { lastNet, paid } = await findLineHistory(db, basis);
  return rows.map((line) => ({ ...line, lastNet_usd: lastNet.get(line.recipientId) ?? null, wasPaid: paid.has(line.recipientId) }));
}

/** Lists the reversals of a stored run as its close is judged by. */
export async function listCloseReversals(db: Db, { gameId, runId }: RunBasis): Promise<CloseReversal[]> {
  const { rows } = await sql<CloseReversal>`
    select reversal.recipient_player_id as "recipientId", r.player_name as name, reversal.period_id as "periodId", reversal.is_coarse as "isCoarse",
      reversal.reported_usd, reversal.taken_before_usd as "takenBefore_usd", reversal.taken_usd, reversal.pinned_usd
    from payout_reversal reversal
      join payout_line line
        on line.game_id = ${gameId} and line.run_id = reversal.run_id and line.recipient_player_id = reversal.recipient_player_id
      left join snapshot_recipient r
        on r.game_id = ${gameId} and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
    where reversal.game_id = ${gameId} and reversal.run_id = ${runId} and (reversal.is_coarse or reversal.pinned_usd <> 0 or reversal.reported_usd < 0)
    order by reversal.period_id`.execute(db);
  return rows;
}

/** Lists the notes of a run, oldest first, with the names of who wrote them. */
export async function listRunNotes(db: Db, { gameId, runId }: RunBasis): Promise<RunNote[]> {
  const { rows } = await sql<RunNote>`
    select n.check_key as "checkKey", encode(n.facts, 'hex') as facts, n.note, p.name as "notedBy", n.noted_at as "notedAt"
    from payout_note n join person p on p.id = n.noted_by where n.game_id = ${gameId} and n.run_id = ${runId} order by n.noted_at, n.check_key`.execute(
    db,
  );
  return rows;
}

/** Lists the findings on renewals without attribution of a month, by reason, oldest first. */
export async function listFindings(db: Db, { gameId, window }: Pick<RunBasis, 'gameId' | 'window'>): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select f.reason, f.renewal_count as "renewalCount", f.conclusion, f.note, p.name as "foundBy", f.found_at as "foundAt"
    from unattributed_finding f join person p on p.id = f.found_by
    where f.game_id = ${gameId} and f.window_start = ${window.start} and f.window_end = ${window.end} order by f.reason, f.finding_no`.execute(
    db,
  );
  return rows;
}

/** What a person wrote about an item of a close; `facts`: hex digest of what a note answers, null for a finding, which belongs to the month. */
export interface Answer extends Record<'key' | 'text' | 'by' | 'at', string> {
  facts: string | null;
}

/** Finds the notes of a run and the findings of its month, oldest first. */
export async function findAnswers(db: Db, run: RunBasis): Promise<Answer[]> {
  const [notes, findings] = await Promise.all([listRunNotes(db, run), listFindings(db, run)]);
  return [
    ...findings.map(({ reason: key, note: text, foundBy: by, foundAt: recordedAt }) => ({ key, facts: null, text, by, at: recordedAt })),
    ...notes.map(({ checkKey: key, facts, note: text, notedBy: by, notedAt: recordedAt }) => ({ key, facts, text, by, at: recordedAt })),
  ];
}
