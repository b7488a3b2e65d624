import { sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { maskName } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { ITEM_STATES, type ItemState } from '../rules/item-state.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../rules/payment.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import type { StateSums } from '../rules/payment-sums.ts';
import { REPORTED_STATES, type ReportedState } from '../rules/reported-states.ts';
import { PAID_TO, paymentsOfRuns } from './list-payments.ts';

/** What a report states of a payment. */
export interface Confirmation {
  reportNo: number;
  rowNo: number;
  kind: string;
  fileName: string | null;
  state: ReportedState;
  occurredOn: string | null;
  amount: string | null;
  currency: string | null;
  providerId: string | null;
  reasonCode: string | null;
  matchedBy: string;
  addedBy: string;
  addedAt: string;
  /** Who accepted its row, which confirmed nothing by itself, and the date that the row has; null: it did. */
  accepted: { by: string; at: string; note: string; reportedOn: string | null } | null;
}

/** A proposal to re-issue a payment, or the payment that a cancelled file left in its place. */
export interface StoryReissue {
  reference: string;
  reason: string;
  proposedBy: string;
  proposedAt: string;
  outcome: 'proposed' | 'confirmed' | 'withdrawn';
  decidedBy: string | null;
  decidedAt: string | null;
}

/** A payment with everything that happened to it. */
export interface PaymentStory {
  itemNo: number;
  reference: string;
  recipientId: number;
  name: string | null;
  amount_usd: string;
  state: ItemState;
  method: PaymentMethod | 'elsewhere' | null;
  account: string | null;
  detailNo: number | null;
  batchNo: number | null;
  /** In the file's currency; null: in no file yet. */
  amountInFile: string | null;
  trace: string | null;
  /** The reference of the payment that it replaces, and of the one that replaces it; null: none. */
  replaces: string | null;
  replacedBy: string | null;
  /** Of a re-issue. */
  reason: string | null;
  proposedBy: string | null;
  proposedById: string | null;
  proposedAt: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  /** The later run that it came back to; null: none. */
  returnedInRunNo: number | null;
  /** Newest first. */
  confirmations: Confirmation[];
  /** Payments that were to replace it, oldest first. */
  reissues: StoryReissue[];
}

type StoryRow = Omit<PaymentStory, 'reference' | 'replaces' | 'replacedBy' | 'confirmations' | 'reissues' | 'state' | 'method'> & {
  state: string;
  method: string | null;
  replacesNo: number | null;
  replacedByNo: number | null;
};

/** Finds a payment of a run by its number; null: there is none. */
export async function findPaymentStory(
  db: Db,
  { gameId, runId, runNo }: { gameId: number; runId: number; runNo: number },
  itemNo: number,
  { canSeeEmails }: { canSeeEmails: boolean },
): Promise<PaymentStory | null> {
  const { rows } = await sql<StoryRow>`
    select i.item_no as "itemNo", i.recipient_player_id as "recipientId", named.player_name as name, i.amount_usd, i.state,
      ${PAID_TO}, d.detail_no as "detailNo", i.batch_no as "batchNo",
      i.amount_file as "amountInFile", i.trace, i.replaces_item_no as "replacesNo", next.item_no as "replacedByNo", i.reason,
      author.name as "proposedBy", i.proposed_by as "proposedById", i.proposed_at as "proposedAt", decider.name as "decidedBy",
      coalesce(i.confirmed_at, i.withdrawn_at) as "decidedAt", later.run_no as "returnedInRunNo"
    from ${paymentsOfRuns(gameId)}
      left join payout_item next on next.game_id = ${gameId} and next.run_id = i.run_id and next.replaces_item_no = i.item_no and next.withdrawn_at is null
      left join person author on author.id = i.proposed_by left join person decider on decider.id = coalesce(i.confirmed_by, i.withdrawn_by)
      left join payout_run later on later.game_id = ${gameId} and later.run_id = i.returned_in_run_id
    where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = ${itemNo}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { replacesNo, replacedByNo, method, state, name, ...story } = row;
  const referenceOf = (no: number | null): string | null => (no === null ? null : formatPaymentReference({ gameId, runNo, itemNo: no }));
  return {
    ...story,
    name: maskName(name, canSeeEmails),
    reference: formatPaymentReference({ gameId, runNo, itemNo }),
    state: parseEnum(ITEM_STATES, state),
    method: method === null ? null : parseEnum([...PAYMENT_METHODS, 'elsewhere'] as const, method),
    replaces: referenceOf(replacesNo),
    replacedBy: referenceOf(replacedByNo),
    confirmations: await listConfirmations(db, { gameId, runId }, itemNo),
    reissues: await listReissues(db, { gameId, runId, runNo }, itemNo),
  };
}

async function listReissues(
  db: Db,
  { gameId, runId, runNo }: { gameId: number; runId: number; runNo: number },
  itemNo: number,
): Promise<StoryReissue[]> {
  const { rows } = await sql<Omit<StoryReissue, 'reference'> & { itemNo: number }>`
    select i.item_no as "itemNo", i.reason, author.name as "proposedBy", i.proposed_at as "proposedAt", decider.name as "decidedBy",
      coalesce(i.confirmed_at, i.withdrawn_at) as "decidedAt",
      case when i.confirmed_at is not null then 'confirmed' when i.withdrawn_at is not null then 'withdrawn' else 'proposed' end as outcome
    from payout_item i join person author on author.id = i.proposed_by left join person decider on decider.id = coalesce(i.confirmed_by, i.withdrawn_by)
    where i.game_id = ${gameId} and i.run_id = ${runId} and i.replaces_item_no = ${itemNo} order by i.item_no limit 100`.execute(db);
  return rows.map(({ itemNo: no, ...row }) => ({ ...row, reference: formatPaymentReference({ gameId, runNo, itemNo: no }) }));
}

async function listConfirmations(db: Db, { gameId, runId }: { gameId: number; runId: number }, itemNo: number): Promise<Confirmation[]> {
  const { rows } = await sql<Omit<Confirmation, 'state'> & { state: string }>`
    select c.report_no as "reportNo", c.row_no as "rowNo", r.kind, r.file_name as "fileName", c.state, c.occurred_on::text as "occurredOn", c.amount::text as amount,
      c.currency, c.provider_id as "providerId", c.reason_code as "reasonCode", c.matched_by as "matchedBy", p.name as "addedBy", r.added_at as "addedAt",
      case when c.matched_by = 'person' then json_build_object('by', decider.name, 'at', ${nestedInstant('listed.decided_at')}, 'note', listed.note, 'reportedOn', listed.occurred_on) end as accepted
    from payment_confirmation c join payment_report r on r.game_id = ${gameId} and r.report_no = c.report_no join person p on p.id = r.added_by
      left join payment_report_row listed on listed.game_id = ${gameId} and listed.report_no = c.report_no and listed.row_no = c.row_no
      left join person decider on decider.id = listed.decided_by
    where c.game_id = ${gameId} and c.run_id = ${runId} and c.item_no = ${itemNo}
    order by c.occurred_on desc nulls last, c.confirmed_at desc, c.row_no desc limit 200`.execute(db);
  return rows.map(({ state, ...row }) => ({ ...row, state: parseEnum(REPORTED_STATES, state) }));
}

/** Sums the payments of a run by state. */
export async function sumStates(db: Db, gameId: number, runId: number): Promise<StateSums> {
  const { rows } = await sql<{ state: string; count: number; total_usd: string }>`
    select state, count(*)::int as count, sum(amount_usd)::text as total_usd from payout_item
    where game_id = ${gameId} and run_id = ${runId} group by state`.execute(db);
  return Object.fromEntries(rows.map(({ state, ...sums }) => [parseEnum(ITEM_STATES, state), sums]));
}
