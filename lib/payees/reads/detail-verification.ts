import { sql } from 'kysely';
import { isErased } from '#db/kit/erased.ts';
import type { Db } from '#db/kit/open.ts';
import { type DetailRow, detailColumns, detailOf, type StoredDetail } from './payee-details.ts';

/** Details as `verify` compares them. */
export interface DetailToVerify extends StoredDetail {
  changeSet: string | null;
  /** null: erased, or older than digests. */
  salt: Buffer | null;
  /** null: older than digests. */
  digest: Buffer | null;
  isErased: boolean;
}

const ROWS_AT_ONCE = 1000;

/** Streams every detail of a game, by recipient and number. */
export async function* streamDetails(db: Db, gameId: number): AsyncGenerator<DetailToVerify> {
  for (let [id, no] = [0, 0]; ; ) {
    const { rows } = await sql<DetailRow & Pick<DetailToVerify, 'changeSet' | 'salt' | 'digest' | 'isErased'>>`
      select ${detailColumns('d')}, d.change_set as "changeSet", d.salt, d.digest, d.erased_at is not null and ${isErased(gameId, sql.ref('d.recipient_player_id'))} as "isErased"
      from payee_detail d where d.game_id = ${gameId} and (d.recipient_player_id, d.detail_no) > (${id}, ${no})
      order by d.recipient_player_id, d.detail_no limit ${ROWS_AT_ONCE}`.execute(db);
    for (const row of rows) yield detailOf(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    [id, no] = [last.recipientId, last.detailNo];
  }
}

/** What the audit has of proposals, by subject: `recipient 71` with its number, or `import` with its set. Those older than digests are left out. */
export async function listAuditedDetails(db: Db, gameId: number): Promise<{ subject: string; detailNo: number | null; digest: string }[]> {
  const { rows } = await sql<{ subject: string; detailNo: number | null; digest: string }>`
    select audit.subject, (audit.detail ->> 'detail_no')::int as "detailNo", audit.detail ->> 'digest' as digest from audit
    where audit.game_id = ${gameId} and audit.act = 'proposed payment details' and audit.detail ? 'digest' order by audit.audit_id`.execute(
    db,
  );
  return rows;
}
