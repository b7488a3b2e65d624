import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { detailsInForce, newestNaming, paysIdentity } from '#lib/payees/reads/in-force.ts';
import { METHODS } from '#lib/payees/rules/details.ts';
import { formatAccount } from '#lib/payees/text.ts';
import { SENDER_METHODS } from '#lib/payments/rules/sender-entries.ts';
import type { CloseFacts, PaidDetails } from '../rules/close-input.ts';
import type { RunLine } from '../rules/decide-line.ts';
import { nameOf } from './payout-decisions.ts';
import type { RunBasis } from './run-facts.ts';

/**
 * Lists, of lines that pay, those to look at: paid to other details than the recipient's last payment, to an account that is in force for another
 * identity too, or by SEPA, which needs a rate. By recipient.
 */
export async function listPaidDetails(
  db: Db,
  basis: Pick<RunBasis, 'gameId' | 'runId'>,
  lines: readonly PaidLine[],
): Promise<PaidDetails[]> {
  const paid = lines.filter(({ detailNo }) => detailNo !== null);
  return paid.length === 0 ? [] : await listToCheck(db, basis, asPaid(paid));
}

type PaidLine = Pick<RunLine, 'recipientId' | 'payable_usd' | 'detailNo'>;

/** Lines as `paid` with id, detail_no and payable_usd. */
function asPaid(lines: readonly PaidLine[]): RawBuilder<unknown> {
  const column = (name: keyof PaidLine) => lines.map((line) => line[name]);
  return sql`unnest(${column('recipientId')}::bigint[], ${column('detailNo')}::int[], ${column('payable_usd')}::numeric[]) as paid (id, detail_no, payable_usd)`;
}

/** Those of a stored run that its approver looks at. */
export async function listRunDetails(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<PaidDetails[]> {
  const lines = sql`(select line.recipient_player_id as id, line.detail_no, line.payable_usd from payout_line line
    where line.game_id = ${gameId} and line.run_id = ${runId} and line.detail_no is not null) paid`;
  return (await listToCheck(db, { gameId, runId }, lines)).filter(({ isChanged, isShared }) => isChanged || isShared);
}

/** Lists the amounts in USD that a run pays by SEPA, which moves euros: each is converted and rounded by itself. */
export async function listEurAmounts(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<string[]> {
  const { rows } = await sql<{ payable_usd: string }>`
    select line.payable_usd from payout_line line
      join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = line.recipient_player_id and d.detail_no = line.detail_no
    where line.game_id = ${gameId} and line.run_id = ${runId} and line.payable_usd > 0 and d.method = 'sepa'`.execute(db);
  return rows.map(({ payable_usd }) => payable_usd);
}

/** Sums what lines pay by each method that needs a sender account and has none in force: no file of it can be created. By method. */
export async function listMissingSenders(db: Db, gameId: number, lines: readonly PaidLine[]): Promise<CloseFacts['missingSenders']> {
  const paid = lines.filter(({ detailNo }) => detailNo !== null);
  if (paid.length === 0) return [];
  const { rows } = await sql<{ method: string; payable_usd: string }>`
    select d.method, sum(paid.payable_usd)::text as payable_usd
    from ${asPaid(paid)}
      join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = paid.id and d.detail_no = paid.detail_no
    where d.method = any(${[...SENDER_METHODS]}::text[]) and not exists (
      select from payout_sender s where s.game_id = ${gameId} and s.method = d.method and s.confirmed_at is not null)
    group by d.method order by d.method`.execute(db);
  return rows.map(({ method, payable_usd }) => ({ method: parseEnum(SENDER_METHODS, method), payable_usd }));
}

/** `paid`: lines that pay, see `asPaid`. */
async function listToCheck(
  db: Db,
  { gameId, runId }: Pick<RunBasis, 'gameId' | 'runId'>,
  paid: RawBuilder<unknown>,
): Promise<PaidDetails[]> {
  const { rows } = await sql<Omit<PaidDetails, 'account'> & { method: string; mask: string }>`
    select found.* from (
      select d.recipient_player_id as "recipientId", ${nameOf(gameId, 'd.recipient_player_id')} as name, d.detail_no as "detailNo", d.method, d.mask,
        paid.payable_usd::text as payable_usd, author.name as "proposedBy", confirmer.name as "confirmedBy",
        last.recipient_player_id is not null and last.detail_no is distinct from d.detail_no as "isChanged",
        (select count(distinct coalesce('identity ' || other.identity_id, 'recipient ' || other.recipient_player_id)) > 1 from payee_detail other
          where other.game_id = ${gameId} and other.fingerprint = d.fingerprint and other.confirmed_at is not null
            and not exists (select from payee_detail newer where newer.game_id = ${gameId} and newer.recipient_player_id = other.recipient_player_id
              and newer.confirmed_at is not null and newer.detail_no > other.detail_no)) as "isShared", d.method = 'sepa' as "isSepa"
      from ${paid}
        join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = paid.id and d.detail_no = paid.detail_no
        join person author on author.id = d.proposed_by join person confirmer on confirmer.id = d.confirmed_by
        left join lateral (
          select line.recipient_player_id, line.detail_no from payout_line line
            join payout_run run on run.game_id = ${gameId} and run.run_id = line.run_id and run.state = 'approved' and run.run_id is distinct from ${runId}
          where line.game_id = ${gameId} and line.recipient_player_id = d.recipient_player_id and line.payable_usd > 0
          order by run.window_start desc limit 1) last on true) found
    where found."isChanged" or found."isShared" or found."isSepa" order by found."recipientId"`.execute(db);
  return rows.map(({ method, mask, ...row }) => ({ ...row, account: formatAccount({ method: parseEnum(METHODS, method), mask }) }));
}

/** Lists the recipients of a run in review with money due whose payment details now aren't those the run was composed with. */
export async function listChangedDetails(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select line.recipient_player_id as id
    from payout_line line
      left join lateral ${newestNaming(gameId, 'line.recipient_player_id')} newest on true
      left join lateral ${detailsInForce(gameId, 'line.recipient_player_id')} d on true
    where line.game_id = ${gameId} and line.run_id = ${runId} and line.due_usd > 0
      and (coalesce(${paysIdentity('d', 'newest.identity_id')}, false) = ${lacksDetails('line')}
        or line.outcome = 'payable' and line.detail_no is distinct from d.detail_no)
    order by line.recipient_player_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether a line, by its alias, was decided as one without payment details. */
const lacksDetails = (line: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${line}.outcome`)} = 'no_details' or 'no_details' = any(${sql.ref(`${line}.also`)}))`;

/**
 * Compares the lines of a run with the details that were in force as it was composed: which it pays to, and which it lacked. An erasure removes the
 * identity of a line, so lines of erased recipients are left out.
 */
export async function listDetailViolations(
  db: Db,
  gameId: number,
  { runId, runNo, composedAt }: { runId: number; runNo: number; composedAt: string | null },
): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    select 'line_details' as name, ${`run ${runNo}, recipient `}::text || line.recipient_player_id as subject,
      coalesce(case when line.payable_usd > 0 or not ${lacksDetails('line')} then 'details ' || d.detail_no end, 'no details') as expected,
      case when line.detail_no is not null then 'details ' || line.detail_no when ${lacksDetails('line')} then 'no details' else 'some details' end as actual
    from payout_line line
      left join lateral ${newestNaming(gameId, 'line.recipient_player_id', composedAt)} newest on true
      left join lateral (
        select own.detail_no from (
          select e.detail_no, e.method, e.identity_id from payee_detail e
          where e.game_id = ${gameId} and e.recipient_player_id = line.recipient_player_id and e.confirmed_at <= ${composedAt}
          order by e.detail_no desc limit 1) own
        where ${paysIdentity('own', 'newest.identity_id')}) d on true
    where line.game_id = ${gameId} and line.run_id = ${runId}
      and ((d.detail_no is null) <> ${lacksDetails('line')} or line.payable_usd > 0 and line.detail_no is distinct from d.detail_no)
      and not exists (select from recipient_erasure erased where erased.game_id = ${gameId} and erased.recipient_player_id = line.recipient_player_id)
    order by line.recipient_player_id limit 1000`.execute(db);
  return rows;
}
