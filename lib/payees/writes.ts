import { type RawBuilder, sql } from 'kysely';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import type { Db } from '#db/kit/open.ts';
import { mayApproveNow } from '#lib/approvals/reads.ts';
import { isOpenProposal, type Proposal } from './reads/open-proposals.ts';
import type { StoredDetail } from './reads/payee-details.ts';
import type { CheckedDetails } from './rules/details.ts';

/** Details that a person proposes, sealed. */
export interface NewDetails extends Pick<CheckedDetails, 'method' | 'holderKind' | 'country' | 'mask'> {
  recipientId: number;
  detailNo: number;
  identityId: string | null;
  sealed: Buffer;
  keyName: string;
  /** null: no account. */
  fingerprint: Buffer | null;
  salt: Buffer;
  digest: Buffer;
}

const COLUMNS = [
  'game_id',
  'recipient_player_id',
  'detail_no',
  'identity_id',
  'holder_kind',
  'method',
  'country',
  'sealed',
  'key_name',
  'mask',
  'fingerprint',
  'change_set',
  'reason',
  'proposed_by',
  'salt',
  'digest',
];

/** Stores details that wait for a second person. The caller has locked the runs of the game, so that no other proposal comes between. */
export async function insertDetails(
  tx: Db,
  { gameId, changeSet, reason, proposedBy }: { gameId: number; changeSet: string | null; reason: string; proposedBy: string },
  details: readonly NewDetails[],
): Promise<void> {
  const bytes = (value: Buffer | null): Cell => (value === null ? null : `\\x${value.toString('hex')}`);
  function* cells(): Generator<Cell[]> {
    for (const each of details) {
      const { recipientId, detailNo, identityId, holderKind, method, country, sealed, keyName, mask, fingerprint, salt, digest } = each;
      const own = [recipientId, detailNo, identityId, holderKind, method, country, bytes(sealed), keyName, mask, bytes(fingerprint)];
      yield [gameId, ...own, changeSet, reason, proposedBy, bytes(salt), bytes(digest)];
    }
  }
  await copyRows(tx, 'payee_detail', COLUMNS, cells());
}

/**
 * Decides open proposals; how many, 0: they are decided already, or not by this person. A confirmation needs another person than their author, enabled
 * and with the right for long enough.
 */
export async function decideDetailRows(
  tx: Db,
  gameId: number,
  proposal: Proposal,
  { actorId, decision }: { actorId: string; decision: 'confirmed' | 'withdrawn' },
): Promise<number> {
  const set =
    decision === 'confirmed'
      ? sql`confirmed_by = ${actorId}, confirmed_at = clock_now()`
      : sql`withdrawn_by = ${actorId}, withdrawn_at = clock_now()`;
  const { numAffectedRows } = await sql`
    update payee_detail d set ${set}
    where ${isOpenProposal(gameId, proposal)} and ${decision === 'confirmed' ? isOtherPerson('d', actorId) : sql`true`}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Whether a person may confirm what `proposed_by` of a row, by its alias, proposed. */
const isOtherPerson = (row: string, actorId: string): RawBuilder<boolean> => sql`
  exists (select from person p join person author on author.id = ${sql.ref(`${row}.proposed_by`)}
    where p.id = ${actorId} and ${mayApproveNow('p', 'author', 'payouts.approve')})`;

/** The id of who proposed what nobody decided yet; null: there is none. */
export async function findDetailsAuthor(db: Db, gameId: number, proposal: Proposal): Promise<string | null> {
  const { rows } = await sql<{ proposed_by: string }>`
    select d.proposed_by from payee_detail d where ${isOpenProposal(gameId, proposal)} order by d.recipient_player_id limit 1`.execute(db);
  return rows[0]?.proposed_by ?? null;
}

/** Stores details under another key. The database allows it to the owner of the table. */
export async function updateSeals(tx: Db, gameId: number, rows: readonly StoredDetail[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <Key extends keyof StoredDetail>(name: Key): StoredDetail[Key][] => rows.map((row) => row[name]);
  await sql`
    update payee_detail d set sealed = seal.sealed, key_name = seal.key_name, fingerprint = seal.fingerprint
    from unnest(${column('recipientId')}::bigint[], ${column('detailNo')}::int[], ${column('sealed')}::bytea[], ${column('keyName')}::text[],
      ${column('fingerprint')}::bytea[]) as seal (id, no, sealed, key_name, fingerprint)
    where d.game_id = ${gameId} and d.recipient_player_id = seal.id and d.detail_no = seal.no`.execute(tx);
}
