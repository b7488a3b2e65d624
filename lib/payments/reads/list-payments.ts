import { type RawBuilder, sql } from 'kysely';
import { fileRows, filterRows, type List, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import { maskName } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { findsRecipient } from '#lib/evidence/reads/recipients-sheet.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import { detailsInForce } from '#lib/payees/reads/in-force.ts';
import { ITEM_STATES, type ItemState, REPLACED_STATES } from '../rules/item-state.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../rules/payment.ts';
import { parsePaymentReference } from '../rules/payment-reference.ts';
import { ITEM_STATE_TEXT } from '../text.ts';
import { saidOf } from './item-states.ts';
import { referenceSql } from './reference-sql.ts';
import { hasReissue, isProposed } from './waiting-items.ts';

/** The run whose payments are listed, and for whom. */
export interface PaymentsOf {
  gameId: number;
  runId: number;
  runNo: number;
  canSeeEmails: boolean;
  /** These payments alone, by number; absent: all. */
  itemNos?: number[] | undefined;
}

/** A payment as a screen lists it. */
export interface ListedPayment {
  item_no: number;
  payment_reference: string;
  recipient_player_id: number;
  recipient_name: string | null;
  amount_usd: string;
  /** null: no payment details yet. */
  method: PaymentMethod | 'elsewhere' | null;
  /** Masked; null: none, or paid elsewhere. */
  account: string | null;
  state: ItemState;
  /** The file; null: none yet. */
  batch_no: number | null;
  /** The provider's date of what decides the state; null: no report names it. */
  reported_on: string | null;
  /** What one person proposed of a payment in no file, and a second person hasn't decided; null: nothing. */
  proposal: 'elsewhere' | 'reissue' | null;
}

const NO: SortKey = { sql: sql`p.item_no`, type: 'bigint' };
const ID: SortKey = { sql: sql`p.recipient_player_id`, type: 'bigint' };

/** The payments of a run. */
export const PAYMENTS: List<PaymentsOf, ListedPayment> = {
  name: 'payments',
  noun: ['payment', 'payments'],
  columns: [
    {
      key: 'payment_reference',
      label: 'Reference',
      kind: 'text',
      sql: (run) => referenceSql(run, 'p.item_no'),
      width: 150,
      shape: 'link',
      sort: [NO],
    },
    { key: 'recipient_player_id', label: 'Player', kind: 'count', sql: ID.sql, sort: [ID, NO] },
    {
      key: 'recipient_name',
      label: 'Recipient',
      kind: 'text',
      sql: sql`p.recipient_name`,
      width: 200,
      shape: 'identity',
      sort: [{ sql: sql`left(lower(coalesce(p.recipient_name, '')), 200)`, type: 'text' }, NO],
    },
    {
      key: 'amount_usd',
      label: 'Amount',
      kind: 'money',
      sql: sql`p.amount_usd`,
      width: 110,
      shape: 'money-strong',
      isKey: true,
      isSummed: true,
      summedWhere: sql`p.state <> all(${sql.lit(`{${REPLACED_STATES.join()}}`)}::text[])`,
      sort: [
        { sql: sql`p.amount_usd`, type: 'numeric' },
        { ...NO, isReversed: true },
      ],
    },
    { key: 'method', label: 'Method', kind: 'text', sql: sql`p.method`, width: 130 },
    { key: 'account', label: 'Account', kind: 'text', sql: sql`p.account`, width: 160 },
    { key: 'state', label: 'State', kind: 'text', sql: sql`p.state`, width: 180, shape: 'flags' },
    { key: 'batch_no', label: 'File', kind: 'count', sql: sql`p.batch_no`, width: 60, shape: 'text' },
    { key: 'reported_on', label: 'Reported', kind: 'text', sql: sql`p.reported_on`, width: 124 },
  ],
  facts: [
    { key: 'item_no', sql: NO.sql },
    {
      key: 'proposal',
      sql: ({
        gameId,
        runId,
      }) => sql`case when p.state <> 'waiting' then null when ${isProposed(gameId, runId, 'p.item_no')} then 'elsewhere'
        when ${hasReissue(gameId, runId, 'p.item_no')} then 'reissue' end`,
    },
  ],
  shown: ['payment_reference', 'recipient_name', 'amount_usd', 'method', 'account', 'state', 'batch_no', 'reported_on'],
  chips: ITEM_STATES.map((state) => ({ key: state, label: ITEM_STATE_TEXT[state], where: sql`p.state = ${sql.lit(state)}` })),
  hasCounts: true,
  search: {
    label: ({ canSeeEmails }) => (canSeeEmails ? 'Search reference, name, email or player ID' : 'Search reference, name or player ID'),
    note: ({ canSeeEmails }) => `A payment reference has ten letters and digits. ${formatRecipientMatch(canSeeEmails)}`,
    where: ({ gameId, runNo, canSeeEmails }, find) => {
      const reference = parsePaymentReference(find.replaceAll(/\s/g, ''));
      if (reference !== null && reference.gameId === gameId && reference.runNo === runNo) return sql`p.item_no = ${reference.itemNo}`;
      return findsRecipient({ name: 'p.recipient_name', email: 'p.recipient_email', id: 'p.recipient_player_id' }, { find, canSeeEmails });
    },
  },
  from: paymentsOf,
  only: ({ itemNos }) => (itemNos === undefined ? null : sql`p.item_no = any(${itemNos}::int[])`),
  order: { key: 'payment_reference', dir: 'asc' },
  ends: { first: 'First payment', last: 'Last payment' },
  scope: ({ gameId, runId }) => `payments ${gameId} ${runId}`,
};

/** Reads one page of the payments of a run. Throws `CursorError`. */
export async function listPayments(
  db: Db,
  scope: PaymentsOf,
  request: ListFilter & { page: PageRequest },
): Promise<RowPage<ListedPayment>> {
  const { rows, ...rest } = await listRows(db, PAYMENTS, scope, request);
  return {
    ...rest,
    rows: rows.map((row) => ({
      ...row,
      recipient_name: maskName(row.recipient_name, scope.canSeeEmails),
      method: row.method === null ? null : parseEnum([...PAYMENT_METHODS, 'elsewhere'] as const, row.method),
      state: parseEnum(ITEM_STATES, row.state),
    })),
  };
}

const BATCH_ROWS = 500;

/** Streams the filtered payments for their file, by reference. */
export function streamPayments(db: Db, scope: PaymentsOf, filter: ListFilter): AsyncIterable<Record<string, unknown>> {
  return fileRows(db, PAYMENTS, scope, filterRows(PAYMENTS, scope, filter)).stream(BATCH_ROWS);
}

/** How the payments of `paymentsOfRuns` go and to which masked account, as `method` and `account`; null: neither is known yet. */
export const PAID_TO = sql`case when b.method = 'elsewhere' then 'elsewhere' else nullif(d.method, 'none') end as method,
  case when b.method is distinct from 'elsewhere' and d.method <> 'none' then d.mask end as account`;

/**
 * Payments `i` with the recipient `named` as the evidence of the run's line has it, their file or record `b`, and the details `d` they go to: those of the
 * file, or those in force now.
 */
export const paymentsOfRuns = (gameId: number): RawBuilder<unknown> => sql`payout_item i
  join payout_line line on line.game_id = ${gameId} and line.run_id = i.run_id and line.recipient_player_id = i.recipient_player_id
  left join snapshot_recipient named on named.game_id = ${gameId} and named.snapshot_id = line.seen_snapshot_id
    and named.recipient_player_id = i.recipient_player_id
  left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no
  left join lateral ${detailsInForce(gameId, 'i.recipient_player_id')} own on i.detail_no is null
  left join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = i.recipient_player_id and d.detail_no = coalesce(i.detail_no, own.detail_no)`;

/** The payments as `p`. The schema has no such table; the SQL of the columns names what is selected here. */
function paymentsOf(db: Db, { gameId, runId }: PaymentsOf): ListSource {
  const source = sql<object>`(
    select i.item_no, i.recipient_player_id, named.player_name as recipient_name, named.player_email as recipient_email, i.amount_usd, i.state, i.batch_no,
      ${PAID_TO}, said.occurred_on::text as reported_on
    from ${paymentsOfRuns(gameId)} left join lateral ${saidOf(gameId)} said on true
    where i.game_id = ${gameId} and i.run_id = ${runId})`;
  return db.selectFrom(source.as('p')) as unknown as ListSource;
}
