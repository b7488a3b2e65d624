import { parseDetailFigures } from '#lib/evidence/rules/detail-figures.ts';
import type { CloseFacts, CloseLine, ClosePeriod, CloseReversal, NewestAnswer } from '#lib/payouts/rules/close-input.ts';
import type { Hold } from '#lib/payouts/rules/compose-run.ts';
import type { Finding, RunNote } from '#lib/payouts/rules/run-content.ts';
import { HELD_PERIODS } from './holds.ts';
import { NAME_OF } from './payout-decisions.ts';
import { isContradicted, isStranded, newestAnswer, type Queryable, type RunBasis } from './run-facts.ts';

/** What the close of a month is judged by, beside its lines and reversals and what is held. */
export type MonthFacts = Pick<
  CloseFacts,
  | 'status'
  | 'isContradicted'
  | 'recheck'
  | 'pull'
  | 'precedes'
  | 'earnedTwice'
  | 'unattributed'
  | 'warnings'
  | 'netsToZeroCount'
  | 'endedHolds'
  | 'unconfirmedAdjustments'
  | 'strandedAdjustments'
  | 'cardFees'
  | 'notes'
>;

/** Reads what the close of a month is judged by. */
export async function findMonthFacts(from: Queryable, basis: RunBasis, now: string): Promise<MonthFacts> {
  // One after the other: within a transaction they share a connection.
  const evidence = await findEvidence(from, basis);
  const earnedTwice = await listEarnedTwice(from, basis);
  const unattributed = await listUnattributed(from, basis);
  const endedHolds = await listEndedHolds(from, basis, now);
  const unconfirmedAdjustments = await listUnconfirmed(from, basis);
  const strandedAdjustments = await listStranded(from, basis);
  const notes = await listNotes(from, basis);
  const cardFees = await findCardFees(from, basis);
  return { ...evidence, earnedTwice, unattributed, endedHolds, unconfirmedAdjustments, strandedAdjustments, notes, cardFees };
}

type Evidence = Pick<MonthFacts, 'status' | 'isContradicted' | 'recheck' | 'pull' | 'precedes' | 'warnings' | 'netsToZeroCount'>;

async function findEvidence(from: Queryable, { gameId, window, snapshotId, previousRunId, runId }: RunBasis): Promise<Evidence> {
  const { rows } = await from.query<Omit<Evidence, 'recheck' | 'pull'> & { answer: NewestAnswer; hasRuns: boolean }>(
    `select snapshot.status,
       ${isContradicted('snapshot')} as "isContradicted",
       ${newestAnswer('snapshot')} as answer,
       exists (select from payout_run run where run.game_id = $1 and run.state <> 'void' and run.run_id is distinct from $3) as "hasRuns",
       (select coalesce(json_agg(json_build_object('name', c.name, 'expected', c.expected, 'actual', c.actual) order by c.check_no), '[]')
         from snapshot_check c where c.game_id = $1 and c.snapshot_id = snapshot.snapshot_id and c.severity = 'warning' and not c.ok) as warnings,
       (select coalesce(sum(r.nets_to_zero_count), 0)::int from snapshot_recipient r where r.game_id = $1 and r.snapshot_id = snapshot.snapshot_id) as "netsToZeroCount"
     from snapshot where game_id = $1 and snapshot_id = $2`,
    [gameId, snapshotId, runId],
  );
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
export async function findRunAnswer(from: Queryable, { gameId, runId }: { gameId: number; runId: number }): Promise<RunAnswer> {
  const { rows } = await from.query<Omit<RunAnswer, keyof NewestAnswer> & { answer: NewestAnswer }>(
    `select ${newestAnswer('ours')} as answer, ${isContradicted('ours')} as "isContradicted", policy.recheck_hours as "recheckHours"
     from payout_run run
       join snapshot ours on ours.game_id = $1 and ours.snapshot_id = run.snapshot_id
       join payout_policy policy on policy.game_id = $1 and policy.policy_no = run.policy_no
     where run.game_id = $1 and run.run_id = $2`,
    [gameId, runId],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`there is no run ${runId}`);
  const { answer, ...rest } = found;
  return { ...answer, ...rest };
}

async function listEarnedTwice(from: Queryable, { gameId, snapshotId, runId }: RunBasis): Promise<CloseFacts['earnedTwice']> {
  const { rows } = await from.query<CloseFacts['earnedTwice'][number]>(
    `select distinct line.recipient_player_id as "recipientId", null as name, line.period_id as "periodId", run.run_no as "runNo",
       line.attributed_amount_usd::text as attributed_usd
     from payout_run run
       join snapshot_slice theirs on theirs.game_id = run.game_id and theirs.snapshot_id = run.snapshot_id
       join renewal_line earlier on earlier.game_id = run.game_id and earlier.slice_id = theirs.slice_id
       join snapshot_slice ours on ours.game_id = run.game_id and ours.snapshot_id = $2
       join renewal_line line on line.game_id = run.game_id and line.slice_id = ours.slice_id and line.period_id = earlier.period_id
     where run.game_id = $1 and run.state = 'approved' and run.run_id is distinct from $3
     order by line.period_id limit 1000`,
    [gameId, snapshotId, runId],
  );
  return rows;
}

/**
 * What tells the renewals without attribution of one reason from others: the slices of the snapshot ($2) that have them, with what the renewals without
 * attribution there come to. Invo's totals name no renewal; the detail reports of the month ($3, $4) do, as they are read.
 */
const UNATTRIBUTED_FACTS = (reason: string): string => `
  select sha256(convert_to(coalesce(string_agg(concat_ws('|', slice.window_start at time zone 'UTC', slice.window_end at time zone 'UTC', slice.unattributed_reasons ->> ${reason},
      trim_scale(slice.settled_gross_usd - lines.gross), trim_scale(slice.invo_fee_usd - lines.fee), trim_scale(slice.partner_revenue_settled_usd - lines.partner)),
      ',' order by slice.window_start), ''), 'UTF8')) as facts
  from snapshot_slice s join slice using (game_id, slice_id)
    cross join lateral (select coalesce(sum(line.amount_usd), 0) as gross, coalesce(sum(line.invo_fee_usd), 0) as fee,
        coalesce(sum(line.partner_revenue_settled_usd), 0) as partner
      from renewal_line line where line.game_id = s.game_id and line.slice_id = s.slice_id) lines
  where s.game_id = $1 and s.snapshot_id = $2 and slice.unattributed_reasons ? ${reason}`;
const NAMED_UNATTRIBUTED = (reason: string): string => `
  select coalesce(array_agg(named.period_id::text order by named.period_id), '{}') from unattributed_renewal named
  where named.game_id = $1 and named.window_start = $3 and named.window_end = $4 and named.reason = ${reason} and named.period_id is not null`;

/** A finding answers the renewals it was recorded for: those of the same slices and amounts, and once reports named all of them, these and no others. */
async function listUnattributed(from: Queryable, { gameId, snapshotId, window }: RunBasis): Promise<CloseFacts['unattributed']> {
  const { rows } = await from.query<CloseFacts['unattributed'][number]>(
    `select reason.key as reason, reason.value::int as count, encode(shown.facts, 'hex') as facts, coalesce((
         select sum(f.renewal_count) from unattributed_finding f
         where f.game_id = $1 and f.window_start = $3 and f.window_end = $4 and f.reason = reason.key
           and (f.facts = shown.facts and (cardinality(f.period_ids) < reason.value::int or (${NAMED_UNATTRIBUTED('reason.key')}) <@ f.period_ids)
             or f.facts is null and f.found_at >= snapshot.created_at)), 0)::int as "foundCount"
     from snapshot cross join lateral jsonb_each_text(unattributed_reasons) reason cross join lateral (${UNATTRIBUTED_FACTS('reason.key')}) shown
     where snapshot.game_id = $1 and snapshot.snapshot_id = $2 order by reason.key`,
    [gameId, snapshotId, window.start, window.end],
  );
  return rows;
}

/** What a finding is bound to: the facts of the renewals it is about, and which of them reports name. */
export async function findUnattributedFacts(
  from: Queryable,
  { gameId, snapshotId, window }: RunBasis,
  reason: string,
): Promise<{ facts: string; periodIds: string[] }> {
  const { rows } = await from.query<{ facts: string; periodIds: string[] }>(
    `select encode(shown.facts, 'hex') as facts, (${NAMED_UNATTRIBUTED('$5')}) as "periodIds" from (${UNATTRIBUTED_FACTS('$5')}) shown`,
    [gameId, snapshotId, window.start, window.end, reason],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`no facts of ${reason} in snapshot ${snapshotId}`);
  return found;
}

async function listEndedHolds(from: Queryable, { gameId, previousRunId }: RunBasis, now: string): Promise<CloseFacts['endedHolds']> {
  const { rows } = await from.query<CloseFacts['endedHolds'][number]>(
    `select recipient_player_id as "recipientId", null as name, hold_id as "holdId" from payout_hold
     where game_id = $1 and only_run_id is null and least(released_at, expires_at) <= $3
       and least(released_at, expires_at) > coalesce((select composed_at from payout_run where game_id = $1 and run_id = $2), '-infinity')
     order by hold_id`,
    [gameId, previousRunId, now],
  );
  return rows;
}

async function listUnconfirmed(from: Queryable, { gameId }: RunBasis): Promise<CloseFacts['unconfirmedAdjustments']> {
  const { rows } = await from.query<CloseFacts['unconfirmedAdjustments'][number]>(
    `select recipient_player_id as "recipientId", null as name, amount_usd from payout_adjustment
     where game_id = $1 and confirmed_at is null and withdrawn_at is null order by adjustment_id`,
    [gameId],
  );
  return rows;
}

/** Lists the confirmed adjustments that no run will include. */
async function listStranded(from: Queryable, { gameId }: RunBasis): Promise<CloseFacts['strandedAdjustments']> {
  const { rows } = await from.query<CloseFacts['strandedAdjustments'][number]>(
    `select a.recipient_player_id as "recipientId", ${NAME_OF('a.recipient_player_id')} as name, a.amount_usd from payout_adjustment a
     where a.game_id = $1 and ${isStranded('a')} order by a.adjustment_id`,
    [gameId],
  );
  return rows;
}

async function listNotes(from: Queryable, { gameId, runId }: RunBasis): Promise<CloseFacts['notes']> {
  const { rows } = await from.query<CloseFacts['notes'][number]>(
    `select check_key as "checkKey", encode(facts, 'hex') as facts from payout_note where game_id = $1 and run_id = $2`,
    [gameId, runId],
  );
  return rows;
}

/** Reads what the detail reports of a month say of card fees; null: not read, or read of another snapshot. */
async function findCardFees(from: Queryable, { gameId, window, snapshotId }: RunBasis): Promise<CloseFacts['cardFees']> {
  const { rows } = await from.query<{ figures: unknown }>(
    'select figures from detail_month where game_id = $1 and window_start = $2 and window_end = $3 and snapshot_id = $4',
    [gameId, window.start, window.end, snapshotId],
  );
  const figures = parseDetailFigures(rows[0]?.figures);
  if (figures === null) return null;
  const { refunded, unlistedRefunds, card_fee } = figures;
  return { readCount: refunded.read, count: refunded.count + unlistedRefunds, amount_usd: card_fee.amount_usd };
}

/** Reads the periods whose base differs this month, and those of refunds that payments wait for, with what is held of each. */
export async function findHeldPeriods(
  from: Queryable,
  { gameId, snapshotId, window }: RunBasis,
  holds: readonly (Hold & { reason: string })[],
): Promise<Pick<CloseFacts, 'baseMismatches' | 'openRefunds'>> {
  const { rows } = await from.query<Omit<ClosePeriod, 'held_usd'> & { reason: string }>(
    `select period_id as "periodId", recipient_player_id as "recipientId", ${NAME_OF('recipient_player_id')} as name, attributed_usd::text, reason
     from (${HELD_PERIODS}) found order by period_id`,
    [gameId, snapshotId, window.end],
  );
  const of = (reason: string): ClosePeriod[] =>
    rows
      .filter((row) => row.reason === reason)
      .map(({ reason: _, ...period }) => {
        const held_usd = holds.find((hold) => hold.periodId === period.periodId && hold.reason === reason)?.amount_usd ?? '0.00';
        return { ...period, held_usd };
      });
  return { baseMismatches: of('base_mismatch'), openRefunds: of('open_refund') };
}

/** What earlier runs say of recipients, by id: the net of the run before, and whether any paid them. */
export async function findLineHistory(
  from: Queryable,
  { gameId, previousRunId, runId }: RunBasis,
): Promise<{ lastNet: Map<number, string>; paid: Set<number> }> {
  const last = await from.query<{ id: number; net_usd: string }>(
    `select recipient_player_id as id, (earned_usd - reversed_usd + pinned_usd)::text as net_usd from payout_line where game_id = $1 and run_id = $2`,
    [gameId, previousRunId],
  );
  const paid = await from.query<{ id: number }>(
    `select distinct line.recipient_player_id as id from payout_line line join payout_run run using (game_id, run_id)
     where line.game_id = $1 and run.state = 'approved' and line.payable_usd > 0 and run.run_id is distinct from $2`,
    [gameId, runId],
  );
  return { lastNet: new Map(last.rows.map(({ id, net_usd }) => [id, net_usd])), paid: new Set(paid.rows.map(({ id }) => id)) };
}

/** Lists the lines of a stored run as its close is judged by. */
export async function listCloseLines(from: Queryable, basis: RunBasis & { runId: number }): Promise<CloseLine[]> {
  const { rows } = await from.query<Omit<CloseLine, 'lastNet_usd' | 'wasPaid'>>(
    `select line.recipient_player_id as "recipientId", r.player_name as name, r.identity_id as "identityId", line.due_usd, line.held_usd, line.payable_usd,
       line.outcome,       (line.earned_usd - line.reversed_usd + line.pinned_usd)::text as net_usd
     from payout_line line left join snapshot_recipient r
       on r.game_id = line.game_id and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
     where line.game_id = $1 and line.run_id = $2 order by line.recipient_player_id`,
    [basis.gameId, basis.runId],
  );
  const { lastNet, paid } = await findLineHistory(from, basis);
  return rows.map((line) => ({ ...line, lastNet_usd: lastNet.get(line.recipientId) ?? null, wasPaid: paid.has(line.recipientId) }));
}

/** Lists the reversals of a stored run as its close is judged by. */
export async function listCloseReversals(from: Queryable, { gameId, runId }: RunBasis): Promise<CloseReversal[]> {
  const { rows } = await from.query<CloseReversal>(
    `select reversal.recipient_player_id as "recipientId", r.player_name as name, reversal.period_id as "periodId", reversal.is_coarse as "isCoarse",
       reversal.reported_usd, reversal.taken_before_usd as "takenBefore_usd", reversal.taken_usd, reversal.pinned_usd
     from payout_reversal reversal
       join payout_line line using (game_id, run_id, recipient_player_id)
       left join snapshot_recipient r
         on r.game_id = line.game_id and r.snapshot_id = line.seen_snapshot_id and r.recipient_player_id = line.recipient_player_id
     where reversal.game_id = $1 and reversal.run_id = $2 and (reversal.is_coarse or reversal.pinned_usd <> 0 or reversal.reported_usd < 0)
     order by reversal.period_id`,
    [gameId, runId],
  );
  return rows;
}

/** Lists the notes of a run, oldest first, with the names of who wrote them. */
export async function listRunNotes(from: Queryable, { gameId, runId }: RunBasis): Promise<RunNote[]> {
  const { rows } = await from.query<RunNote>(
    `select n.check_key as "checkKey", encode(n.facts, 'hex') as facts, n.note, p.name as "notedBy", n.noted_at as "notedAt"
     from payout_note n join person p on p.id = n.noted_by where n.game_id = $1 and n.run_id = $2 order by n.noted_at, n.check_key`,
    [gameId, runId],
  );
  return rows;
}

/** Lists the findings on renewals without attribution of a month, by reason, oldest first. */
export async function listFindings(from: Queryable, { gameId, window }: Pick<RunBasis, 'gameId' | 'window'>): Promise<Finding[]> {
  const { rows } = await from.query<Finding>(
    `select f.reason, f.renewal_count as "renewalCount", f.conclusion, f.note, p.name as "foundBy", f.found_at as "foundAt"
     from unattributed_finding f join person p on p.id = f.found_by
     where f.game_id = $1 and f.window_start = $2 and f.window_end = $3 order by f.reason, f.finding_no`,
    [gameId, window.start, window.end],
  );
  return rows;
}

/** What a person wrote about an item of a close; `facts`: hex digest of what a note answers, null for a finding, which belongs to the month. */
export interface Answer extends Record<'key' | 'text' | 'by' | 'at', string> {
  facts: string | null;
}

/** Finds the notes of a run and the findings of its month, oldest first. */
export async function findAnswers(from: Queryable, run: RunBasis): Promise<Answer[]> {
  const [notes, findings] = await Promise.all([listRunNotes(from, run), listFindings(from, run)]);
  return [
    ...findings.map(({ reason: key, note: text, foundBy: by, foundAt: at }) => ({ key, facts: null, text, by, at })),
    ...notes.map(({ checkKey: key, facts, note: text, notedBy: by, notedAt: at }) => ({ key, facts, text, by, at })),
  ];
}
