import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { maskName } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { nameOf } from '#lib/payouts/reads/payout-decisions.ts';
import { HOLDER_KINDS, METHODS, type Method, type SealedFor } from '../rules/details.ts';
import { detailsInForce, newestNaming } from './in-force.ts';

/** What is stored of a recipient as details are proposed. */
export interface StoredPayee {
  recipientId: number;
  /** The identity Invo reported last; null: none. */
  identityId: string | null;
  /** The number of the next proposal. */
  nextNo: number;
  /** The number of a proposal that waits; null: none does. */
  openNo: number | null;
  inForce: StoredDetail | null;
}

/** Details with everything that their sealed bytes are bound to. */
export interface StoredDetail extends SealedFor {
  sealed: Buffer;
  keyName: string;
}

/** The row of a detail, before its words are checked. */
export type DetailRow = Omit<StoredDetail, 'method' | 'holderKind'> & { method: string; holderKind: string };

/** The columns of a stored detail, by its alias. */
export const detailColumns = (d: string): RawBuilder<DetailRow> => {
  const column = (name: string, as: string): RawBuilder<unknown> => sql`${sql.ref(`${d}.${name}`)} as ${sql.ref(as)}`;
  return sql<DetailRow>`${sql.join([
    column('game_id', 'gameId'),
    column('recipient_player_id', 'recipientId'),
    column('detail_no', 'detailNo'),
    column('identity_id', 'identityId'),
    column('holder_kind', 'holderKind'),
    column('method', 'method'),
    column('country', 'country'),
    column('mask', 'mask'),
    column('fingerprint', 'fingerprint'),
    column('sealed', 'sealed'),
    column('key_name', 'keyName'),
  ])}`;
};

/** A detail of its row. Throws for a method or a holder that is on no list. */
export function detailOf<Row extends DetailRow>(row: Row): Omit<Row, 'method' | 'holderKind'> & StoredDetail {
  return { ...row, method: parseEnum(METHODS, row.method), holderKind: parseEnum(HOLDER_KINDS, row.holderKind) };
}

/** Finds what is stored of recipients, by their ID; those that Invo never reported are left out. */
export async function findStoredPayees(db: Db, gameId: number, ids: readonly number[]): Promise<Map<number, StoredPayee>> {
  const { rows } = await sql<Omit<StoredPayee, 'inForce'>>`
    select wanted.id as "recipientId", newest.identity_id as "identityId", coalesce(numbers.last, 0) + 1 as "nextNo", numbers.open as "openNo"
    from unnest(${ids}::bigint[]) as wanted (id)
      left join lateral ${newestNaming(gameId, 'wanted.id')} newest on true
      left join lateral (select max(d.detail_no) as last, max(d.detail_no) filter (where d.confirmed_at is null and d.withdrawn_at is null) as open
        from payee_detail d where d.game_id = ${gameId} and d.recipient_player_id = wanted.id) numbers on true
    where newest.resolved is not null
      or exists (select from snapshot_recipient r where r.game_id = ${gameId} and r.recipient_player_id = wanted.id)
      or exists (select from payout_line line where line.game_id = ${gameId} and line.recipient_player_id = wanted.id)`.execute(db);
  const { rows: details } = await sql<DetailRow>`
    select ${detailColumns('stored')} from unnest(${rows.map(({ recipientId }) => recipientId)}::bigint[]) as wanted (id)
      join lateral ${detailsInForce(gameId, 'wanted.id')} own on true
      join payee_detail stored on stored.game_id = ${gameId} and stored.recipient_player_id = wanted.id and stored.detail_no = own.detail_no`.execute(
    db,
  );
  const inForce = new Map(details.map((row) => [row.recipientId, detailOf(row)]));
  return new Map(rows.map((payee) => [payee.recipientId, { ...payee, inForce: inForce.get(payee.recipientId) ?? null }]));
}

/** Lists all versions of recipients' details that aren't erased, sealed. */
export async function listSealed(db: Db, gameId: number, recipientIds: readonly number[]): Promise<StoredDetail[]> {
  const { rows } = await sql<DetailRow>`
    select ${detailColumns('d')} from payee_detail d
    where d.game_id = ${gameId} and d.recipient_player_id = any(${recipientIds}::bigint[]) and d.erased_at is null`.execute(db);
  return rows.map(detailOf);
}

/** One version of a recipient's details, as pages list them. */
export interface DetailVersion {
  detailNo: number;
  method: Method;
  mask: string;
  country: string | null;
  holderKind: string;
  reason: string;
  /** The imported file it came by; null: typed. */
  changeSet: string | null;
  state: 'proposed' | 'in_force' | 'replaced' | 'withdrawn';
  /** In force, and made for another identity than Invo reports now. */
  isForOther: boolean;
  /** Whether the current person proposed it. */
  isMine: boolean;
  proposedBy: string;
  proposedAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
}

/** A recipient with every version of their details, newest first; null: Invo never reported them. */
export interface PayeePage {
  recipientId: number;
  name: string | null;
  identityId: string | null;
  versions: DetailVersion[];
}

/** Finds a recipient with their details as a person sees them. */
export async function findPayee(
  db: Db,
  gameId: number,
  recipientId: number,
  { personId, canSeeEmails }: { personId: string; canSeeEmails: boolean },
): Promise<PayeePage | null> {
  const payee = (await findStoredPayees(db, gameId, [recipientId])).get(recipientId);
  if (payee === undefined) return null;
  const { rows } = await sql<Omit<DetailVersion, 'method' | 'isForOther'> & { method: string; madeFor: string | null }>`
    select d.detail_no as "detailNo", d.method, d.mask, d.country, d.holder_kind as "holderKind", d.reason, d.change_set as "changeSet", d.identity_id as "madeFor",
      case when d.withdrawn_at is not null then 'withdrawn' when d.confirmed_at is null then 'proposed'
        when d.detail_no = ${payee.inForce?.detailNo ?? null} then 'in_force' else 'replaced' end as state,
      d.proposed_by = ${personId} as "isMine", author.name as "proposedBy", d.proposed_at as "proposedAt",
      decider.name as "decidedBy", coalesce(d.confirmed_at, d.withdrawn_at) as "decidedAt"
    from payee_detail d join person author on author.id = d.proposed_by left join person decider on decider.id = coalesce(d.confirmed_by, d.withdrawn_by)
    where d.game_id = ${gameId} and d.recipient_player_id = ${recipientId} order by d.detail_no desc limit 100`.execute(db);
  const { rows: named } = await sql<{ name: string | null }>`select ${nameOf(gameId, recipientId)} as name`.execute(db);
  return {
    recipientId,
    name: maskName(named[0]?.name ?? null, canSeeEmails),
    identityId: payee.identityId,
    versions: rows.map(({ method, madeFor, ...version }) => ({
      ...version,
      method: parseEnum(METHODS, method),
      isForOther: version.state === 'in_force' && madeFor !== payee.identityId,
    })),
  };
}

/** Finds one version with its sealed bytes; null: there is none. */
export async function findSealed(db: Db, gameId: number, recipientId: number, detailNo: number): Promise<StoredDetail | null> {
  const { rows } = await sql<DetailRow>`select ${detailColumns('d')} from payee_detail d
    where d.game_id = ${gameId} and d.recipient_player_id = ${recipientId} and d.detail_no = ${detailNo} and d.erased_at is null`.execute(
    db,
  );
  return rows[0] === undefined ? null : detailOf(rows[0]);
}

/** One row of an imported file that waits. */
export interface ImportedRow {
  recipientId: number;
  name: string | null;
  method: Method;
  mask: string;
  /** What is in force; null: nothing. */
  before: { method: Method; mask: string } | null;
  /** `unpaid`: an account before, method None now; `same`: the account in force, for another identity or with other entries. Masks alone can't tell. */
  change: 'new' | 'account' | 'unpaid' | 'same';
}

/** An imported file that waits for a second person. */
export interface OpenImport {
  changeSet: string;
  reason: string;
  proposedBy: string;
  proposedAt: string;
  isMine: boolean;
  count: number;
  /** How many would be paid to another account than now. */
  changedCount: number;
  /** How many are paid now and would no longer be. */
  unpaidCount: number;
  /** Its first rows: those with another account, then those no longer paid, then the others. */
  rows: ImportedRow[];
}

/** What the proposed details `d` change of those in force, `own`. Method None has no account, so none is replaced by it or replaces it. */
const CHANGE: RawBuilder<ImportedRow['change']> = sql`case
  when own.detail_no is null or (own.method = 'none' and d.method <> 'none') then 'new'
  when own.method <> 'none' and d.method = 'none' then 'unpaid'
  when own.fingerprint is distinct from d.fingerprint then 'account' else 'same' end`;

/** Lists the imported files that wait, newest first, each with at most `limit` rows. */
export async function listOpenImports(
  db: Db,
  gameId: number,
  { personId, canSeeEmails, limit }: { personId: string; canSeeEmails: boolean; limit: number },
): Promise<OpenImport[]> {
  const { rows: sets } = await sql<Omit<OpenImport, 'rows'>>`
    select d.change_set as "changeSet", min(d.reason) as reason, min(author.name) as "proposedBy", min(d.proposed_at) as "proposedAt",
      bool_or(d.proposed_by = ${personId}) as "isMine", count(*)::int as count,
      (count(*) filter (where ${CHANGE} = 'account'))::int as "changedCount", (count(*) filter (where ${CHANGE} = 'unpaid'))::int as "unpaidCount"
    from payee_detail d join person author on author.id = d.proposed_by
      left join lateral ${detailsInForce(gameId, 'd.recipient_player_id')} own on true
    where d.game_id = ${gameId} and d.change_set is not null and d.confirmed_at is null and d.withdrawn_at is null
    group by d.change_set order by min(d.proposed_at) desc limit 20`.execute(db);
  const imports: OpenImport[] = [];
  for (const set of sets) {
    const { rows } = await sql<{
      recipientId: number;
      name: string | null;
      method: string;
      mask: string;
      oldMethod: string | null;
      oldMask: string | null;
      change: ImportedRow['change'];
    }>`
      select ${CHANGE} as change, d.recipient_player_id as "recipientId", ${nameOf(gameId, 'd.recipient_player_id')} as name, d.method, d.mask, own.method as "oldMethod", own.mask as "oldMask"
      from payee_detail d left join lateral ${detailsInForce(gameId, 'd.recipient_player_id')} own on true
      where d.game_id = ${gameId} and d.change_set = ${set.changeSet}::uuid and d.confirmed_at is null and d.withdrawn_at is null
      order by ${CHANGE} <> 'account', ${CHANGE} <> 'unpaid', ${CHANGE} = 'new', d.recipient_player_id limit ${limit}`.execute(db);
    imports.push({
      ...set,
      rows: rows.map(({ oldMethod, oldMask, ...row }) => ({
        ...row,
        name: maskName(row.name, canSeeEmails),
        method: parseEnum(METHODS, row.method),
        before: oldMethod === null || oldMask === null ? null : { method: parseEnum(METHODS, oldMethod), mask: oldMask },
      })),
    });
  }
  return imports;
}

/** Whether a game has payment details of anybody, proposed or confirmed. */
export async function hasDetails(db: Db, gameId: number): Promise<boolean> {
  const row = await db.selectFrom('payee_detail').select('detail_no').where('game_id', '=', gameId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The ids of people, by email. */
export async function findDemoPeople(db: Db, emails: string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('person').select(['id', 'email']).where('email', 'in', emails).execute();
  return new Map(rows.map(({ email, id }) => [email, id]));
}
