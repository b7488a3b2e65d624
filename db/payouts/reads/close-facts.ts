import { parseDetailFigures } from '#lib/evidence/rules/detail-figures.ts';
import type { CloseFacts, CloseLine, ClosePeriod, CloseReversal, NewestAnswer } from '#lib/payouts/rules/close-input.ts';
import type { Hold } from '#lib/payouts/rules/compose-run.ts';
import type { Finding, RunNote } from '#lib/payouts/rules/run-content.ts';
import { DRIFTED_RUNS, hasOpenRefund, isContradicted, newestAnswer, type Queryable, type RunBasis } from './run-facts.ts';

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
  | 'drift'
  | 'netsToZeroCount'
  | 'endedHolds'
  | 'unconfirmedAdjustments'
  | 'cardFees'
  | 'notes'
>;

/** Reads what the close of a month is judged by. */
export async function findMonthFacts(from: Queryable, basis: RunBasis, now: string): Promise<MonthFacts> {
  // One after the other: within a transaction they share a connection.
  const evidence = await findEvidence(from, basis);
  const earnedTwice = await listEarnedTwice(from, basis);
  const unattributed = await listUnattributed(from, basis);
  const drift = await listRunDrift(from, basis);
  const endedHolds = await listEndedHolds(from, basis, now);
  const unconfirmedAdjustments = await listUnconfirmed(from, basis);
  const notes = await listNotes(from, basis);
  const cardFees = await findCardFees(from, basis);
  return { ...evidence, earnedTwice, unattributed, drift, endedHolds, unconfirmedAdjustments, notes, cardFees };
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

async function listUnattributed(from: Queryable, { gameId, snapshotId, window }: RunBasis): Promise<CloseFacts['unattributed']> {
  const { rows } = await from.query<CloseFacts['unattributed'][number]>(
    `select reason.key as reason, reason.value::int as count, coalesce((select sum(f.renewal_count) from unattributed_finding f
         where f.game_id = $1 and f.window_start = $3 and f.window_end = $4 and f.reason = reason.key), 0)::int as "foundCount"
     from snapshot, jsonb_each_text(unattributed_reasons) reason
     where game_id = $1 and snapshot_id = $2 order by reason.key`,
    [gameId, snapshotId, window.start, window.end],
  );
  return rows;
}

/** Lists the approved runs whose month has other figures now than when it was paid from. */
async function listRunDrift(from: Queryable, { gameId, window }: RunBasis): Promise<CloseFacts['drift']> {
  const { rows } = await from.query<{ runNo: number; start: string; end: string; net_change_usd: string }>(
    `select run.run_no as "runNo", run.window_start as start, run.window_end as "end", (now.net_attributed_usd - paid.net_attributed_usd)::text as net_change_usd
     from ${DRIFTED_RUNS} and run.game_id = $1 and run.window_start < $2
     order by run.run_no`,
    [gameId, window.start],
  );
  return rows.map(({ start, end, ...drift }) => ({ ...drift, window: { start, end } }));
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

/** Reads the periods of a month whose base differs or that have an open refund, with what is held of each. */
export async function findHeldPeriods(
  from: Queryable,
  { gameId, snapshotId, window }: RunBasis,
  holds: readonly (Hold & { reason: string })[],
): Promise<Pick<CloseFacts, 'baseMismatches' | 'openRefunds'>> {
  const { rows } = await from.query<Omit<ClosePeriod, 'held_usd'> & { hasRefund: boolean; isMismatch: boolean }>(
    `select * from (
       select line.period_id as "periodId", line.recipient_player_id as "recipientId", r.player_name as name, line.attributed_amount_usd::text as attributed_usd,
line.base_matches_settled_fee is false as "isMismatch", ${hasOpenRefund('line', '$3')} as "hasRefund"       from snapshot_slice s join renewal_line line using (game_id, slice_id)
         join snapshot_recipient r on r.game_id = s.game_id and r.snapshot_id = s.snapshot_id and r.recipient_player_id = line.recipient_player_id
       where s.game_id = $1 and s.snapshot_id = $2
     ) line where "isMismatch" or "hasRefund" order by "periodId"`,
    [gameId, snapshotId, window.end],
  );
  const heldFor = (periodId: number, reason: string): string =>
    holds.find((hold) => hold.periodId === periodId && hold.reason === reason)?.amount_usd ?? '0.00';
  const of = (reason: string, isOne: (row: (typeof rows)[number]) => boolean): ClosePeriod[] =>
    rows.filter(isOne).map(({ hasRefund: _, isMismatch: __, ...period }) => ({ ...period, held_usd: heldFor(period.periodId, reason) }));
  return { baseMismatches: of('base_mismatch', (row) => row.isMismatch), openRefunds: of('open_refund', (row) => row.hasRefund) };
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

/** What a person wrote about an item of a close. */
export interface Answer {
  key: string;
  /** Hex digest of the facts a note answers; null: a finding, which belongs to the month. */
  facts: string | null;
  text: string;
  by: string;
  at: string;
}

/** Finds the notes of a run and the findings of its month, oldest first. */
export async function findAnswers(from: Queryable, run: RunBasis): Promise<Answer[]> {
  const [notes, findings] = await Promise.all([listRunNotes(from, run), listFindings(from, run)]);
  return [
    ...findings.map(({ reason: key, note: text, foundBy: by, foundAt: at }) => ({ key, facts: null, text, by, at })),
    ...notes.map(({ checkKey: key, facts, note: text, notedBy: by, notedAt: at }) => ({ key, facts, text, by, at })),
  ];
}
