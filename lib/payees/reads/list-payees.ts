import { sql } from 'kysely';
import { fileRows, filterRows, type List, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import { maskName } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { findsRecipient } from '#lib/evidence/reads/recipients-sheet.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import { DETAIL_STATES, type DetailState, METHODS, type Method } from '../rules/details.ts';
import { DETAIL_STATE_TEXT } from '../text.ts';
import { detailsInForce, newestNaming } from './in-force.ts';

/** The game whose recipients are listed with their payment details, and for whom. */
export interface PayeesOf {
  gameId: number;
  canSeeEmails: boolean;
}

/** A recipient with the payment details in force. */
export interface ListedPayee {
  recipient_player_id: number;
  recipient_name: string | null;
  /** null: none are in force. */
  method: Method | null;
  account: string | null;
  country: string | null;
  state: DetailState;
  confirmed_at: string | null;
  is_proposed: boolean;
}

const ID: SortKey = { sql: sql`r.recipient_player_id`, type: 'bigint' };
const NAME: SortKey = { sql: sql`left(lower(coalesce(r.recipient_name, '')), 200)`, type: 'text' };

/** Every recipient of a complete month with the payment details in force, masked. */
export const PAYEES: List<PayeesOf, ListedPayee> = {
  name: 'payees',
  noun: ['recipient', 'recipients'],
  columns: [
    { key: 'recipient_player_id', label: 'Player', kind: 'count', sql: ID.sql, sort: [ID] },
    {
      key: 'recipient_name',
      label: 'Recipient',
      kind: 'text',
      sql: sql`r.recipient_name`,
      width: 240,
      shape: 'identity',
      sort: [NAME, ID],
    },
    { key: 'method', label: 'Method', kind: 'text', sql: sql`r.method`, width: 120 },
    { key: 'account', label: 'Account', kind: 'text', sql: sql`r.account`, width: 190 },
    { key: 'country', label: 'Country', kind: 'text', sql: sql`r.country`, width: 84 },
    { key: 'state', label: 'State', kind: 'text', sql: sql`r.state`, width: 190, shape: 'flags', isKey: true },
    {
      key: 'confirmed_at',
      label: 'Confirmed',
      kind: 'instant',
      sql: sql`r.confirmed_at`,
      width: 170,
      shape: 'text',
      sort: [{ sql: sql`coalesce(r.confirmed_at, '-infinity')`, type: 'timestamptz' }, ID],
    },
  ],
  facts: [{ key: 'is_proposed', sql: sql`r.is_proposed` }],
  shown: ['recipient_name', 'method', 'account', 'country', 'state', 'confirmed_at'],
  chips: DETAIL_STATES.map((state) => ({
    key: state,
    label: DETAIL_STATE_TEXT[state],
    where: state === 'proposed' ? sql`r.is_proposed` : sql`r.state = ${sql.lit(state)}`,
  })),
  search: {
    label: ({ canSeeEmails }) => (canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID'),
    note: ({ canSeeEmails }) => formatRecipientMatch(canSeeEmails),
    where: ({ canSeeEmails }, find) =>
      findsRecipient({ name: 'r.recipient_name', email: 'r.recipient_email', id: 'r.recipient_player_id' }, { find, canSeeEmails }),
  },
  from: payeesOf,
  order: { key: 'recipient_player_id', dir: 'asc' },
  ends: { first: 'First player', last: 'Last player' },
  scope: ({ gameId }) => `payees ${gameId}`,
};

/** Reads one page of recipients with their payment details. Throws `CursorError`. */
export async function listPayees(db: Db, scope: PayeesOf, request: ListFilter & { page: PageRequest }): Promise<RowPage<ListedPayee>> {
  const { rows, ...rest } = await listRows(db, PAYEES, scope, request);
  return {
    ...rest,
    rows: rows.map((row) => ({
      ...row,
      recipient_name: maskName(row.recipient_name, scope.canSeeEmails),
      method: row.method === null ? null : parseEnum(METHODS, row.method),
      state: parseEnum(DETAIL_STATES, row.state),
    })),
  };
}

const BATCH_ROWS = 500;

/** Streams the filtered recipients for their file, by player. */
export function streamPayees(db: Db, scope: PayeesOf, filter: ListFilter): AsyncIterable<Record<string, unknown>> {
  return fileRows(db, PAYEES, scope, filterRows(PAYEES, scope, filter)).stream(BATCH_ROWS);
}

/** The recipients as `r`. The schema has no such table; the SQL of the columns names what is selected here. */
function payeesOf(db: Db, { gameId }: PayeesOf): ListSource {
  const source = sql<object>`(
    select payee.recipient_player_id, newest.player_name as recipient_name, newest.player_email as recipient_email, own.method, own.mask as account,
      country.country, own.confirmed_at,
      exists (select from payee_detail open where open.game_id = ${gameId} and open.recipient_player_id = payee.recipient_player_id
        and open.confirmed_at is null and open.withdrawn_at is null) as is_proposed,
      case when own.detail_no is null or own.method = 'none' then 'none' when own.identity_id is distinct from newest.identity_id then 'changed' else 'in_force' end as state
    from (select distinct named.recipient_player_id from snapshot_recipient named where named.game_id = ${gameId}) payee
      join lateral ${newestNaming(gameId, 'payee.recipient_player_id')} newest on true
      left join lateral ${detailsInForce(gameId, 'payee.recipient_player_id')} own on true
      left join payee_detail country on country.game_id = ${gameId} and country.recipient_player_id = payee.recipient_player_id
        and country.detail_no = own.detail_no)`;
  return db.selectFrom(source.as('r')) as unknown as ListSource;
}
