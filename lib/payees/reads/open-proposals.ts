import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { detailsInForce, newestNaming } from './in-force.ts';
import { type DetailRow, detailColumns, detailOf, type StoredDetail } from './payee-details.ts';

/** Open proposals: of one recipient by its number, or of one imported file. */
export type Proposal = { recipientId: number; detailNo: number } | { changeSet: string };

/** Whether the details `d` are of an open proposal. */
export const isOpenProposal = (
  gameId: number,
  proposal: Proposal,
): RawBuilder<boolean> => sql<boolean>`(d.game_id = ${gameId} and d.confirmed_at is null and d.withdrawn_at is null
  and ${'changeSet' in proposal ? sql`d.change_set = ${proposal.changeSet}::uuid` : sql`d.recipient_player_id = ${proposal.recipientId} and d.detail_no = ${proposal.detailNo}`})`;

/**
 * Finds the digest of what a person is shown of a proposal: its rows with their seals, why, and what each replaces. It may leave Sharebook: a seal can't
 * be guessed. A confirmation carries it.
 */
export async function findShownDigest(db: Db, gameId: number, proposal: Proposal): Promise<string> {
  const { rows } = await sql<{ shown: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(jsonb_build_array(d.recipient_player_id, d.detail_no, d.method, d.mask, d.country, d.identity_id,
      encode(d.digest, 'hex'), encode(d.fingerprint, 'hex'), encode(sha256(d.sealed), 'hex'), d.reason, d.proposed_by, own.detail_no, own.method, own.mask,
      encode(own.fingerprint, 'hex'), newest.identity_id)::text, ' ' order by d.recipient_player_id), ''), 'UTF8')), 'hex') as shown
    from payee_detail d
      left join lateral ${detailsInForce(gameId, 'd.recipient_player_id')} own on true
      left join lateral ${newestNaming(gameId, 'd.recipient_player_id')} newest on true
    where ${isOpenProposal(gameId, proposal)}`.execute(db);
  return rows[0]?.shown ?? '';
}

/** Lists the rows of an open proposal with their sealed bytes. */
export async function listProposed(db: Db, gameId: number, proposal: Proposal): Promise<StoredDetail[]> {
  const { rows } = await sql<DetailRow>`select ${detailColumns('d')} from payee_detail d where ${isOpenProposal(gameId, proposal)}`.execute(
    db,
  );
  return rows.map(detailOf);
}
