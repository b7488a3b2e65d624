import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { SENDER_METHODS, type SenderMethod } from '../rules/sender-entries.ts';

/** A sender account as it is stored: its entries are sealed. */
export interface StoredSender {
  gameId: number;
  senderNo: number;
  method: SenderMethod;
  mask: string;
  sealed: Buffer;
  keyName: string;
  digest: Buffer;
}

type SenderRow = Omit<StoredSender, 'method'> & { method: string };

const COLUMNS = sql`s.game_id as "gameId", s.sender_no as "senderNo", s.method, s.mask, s.sealed, s.key_name as "keyName", s.digest`;

const senderOf = (row: SenderRow): StoredSender => ({ ...row, method: parseEnum(SENDER_METHODS, row.method) });

/** Finds the sender account in force of a method, the newest that is confirmed; null: there is none. */
export async function findSenderInForce(db: Db, gameId: number, method: SenderMethod): Promise<StoredSender | null> {
  const { rows } = await sql<SenderRow>`select ${COLUMNS} from payout_sender s
    where s.game_id = ${gameId} and s.method = ${method} and s.confirmed_at is not null order by s.sender_no desc limit 1`.execute(db);
  return rows[0] === undefined ? null : senderOf(rows[0]);
}

/** Finds a sender account by its number; null: there is none. */
export async function findSender(db: Db, gameId: number, senderNo: number): Promise<StoredSender | null> {
  const { rows } = await sql<SenderRow>`select ${COLUMNS} from payout_sender s
    where s.game_id = ${gameId} and s.sender_no = ${senderNo}`.execute(db);
  return rows[0] === undefined ? null : senderOf(rows[0]);
}

/** Lists the sender accounts of a game that were in force once, of bank payments: a bank reports about one of them. */
export async function listBankSenders(db: Db, gameId: number): Promise<StoredSender[]> {
  const { rows } = await sql<SenderRow>`select ${COLUMNS} from payout_sender s
    where s.game_id = ${gameId} and s.method in ('sepa', 'wire_usd') and s.confirmed_at is not null order by s.sender_no`.execute(db);
  return rows.map(senderOf);
}

/** A sender account as pages list it. */
export interface SenderVersion {
  senderNo: number;
  method: SenderMethod;
  mask: string;
  state: 'proposed' | 'in_force' | 'replaced' | 'withdrawn';
  proposedById: string;
  proposedBy: string;
  proposedAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
}

/** Lists the sender accounts of a game, newest first. */
export async function listSenders(db: Db, gameId: number): Promise<SenderVersion[]> {
  const { rows } = await sql<Omit<SenderVersion, 'method'> & { method: string }>`
    select s.sender_no as "senderNo", s.method, s.mask, author.id as "proposedById", author.name as "proposedBy", s.proposed_at as "proposedAt",
      decider.name as "decidedBy", coalesce(s.confirmed_at, s.withdrawn_at) as "decidedAt",
      case when s.withdrawn_at is not null then 'withdrawn' when s.confirmed_at is null then 'proposed'
        when exists (select from payout_sender newer where newer.game_id = ${gameId} and newer.method = s.method and newer.confirmed_at is not null
          and newer.sender_no > s.sender_no) then 'replaced' else 'in_force' end as state
    from payout_sender s join person author on author.id = s.proposed_by
      left join person decider on decider.id = coalesce(s.confirmed_by, s.withdrawn_by)
    where s.game_id = ${gameId} order by s.sender_no desc limit 200`.execute(db);
  return rows.map(({ method, ...sender }) => ({ ...sender, method: parseEnum(SENDER_METHODS, method) }));
}
