import { type Insertable, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { SetUpLinkTable } from '#db/types.ts';
import { parseEnum } from '#lib/core/strings.ts';

const LINK_PURPOSES = ['first_admin', 'invitation', 'new_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** Adds a one-time link; `person_id` null: for the first admin. */
export async function insertLink(
  trx: Db,
  {
    validFor_hours,
    ...link
  }: Pick<Insertable<SetUpLinkTable>, 'token_digest' | 'person_id' | 'made_by'> & { purpose: LinkPurpose; validFor_hours: number },
): Promise<void> {
  const expires_at = sql<string>`clock_now() + make_interval(hours => ${validFor_hours})`;
  await trx
    .insertInto('set_up_link')
    .values({ ...link, expires_at })
    .execute();
}

export interface StoredLink {
  purpose: LinkPurpose;
  /** Whose password it sets; null: the first admin, who has no account yet. */
  personId: string | null;
  /** Email of the admin, or "command line". */
  madeBy: string;
  isUsed: boolean;
  isWithdrawn: boolean;
  /** By the database clock. */
  isExpired: boolean;
}

/** Finds the link of a token digest, whatever its state; null when there never was one. */
export async function findLink(db: Db, tokenDigest: Buffer): Promise<StoredLink | null> {
  const row = await db
    .selectFrom('set_up_link')
    .select(['purpose', 'person_id as personId', 'made_by as madeBy'])
    .select([
      sql<boolean>`used_at is not null`.as('isUsed'),
      sql<boolean>`withdrawn_at is not null`.as('isWithdrawn'),
      sql<boolean>`expires_at <= clock_now()`.as('isExpired'),
    ])
    .where('token_digest', '=', tokenDigest)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, purpose: parseEnum(LINK_PURPOSES, row.purpose) };
}

/** Marks an open link as used. Returns false when it was used, withdrawn or expired. */
export async function redeemLink(trx: Db, tokenDigest: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('set_up_link')
    .set({ used_at: sql<string>`clock_now()` })
    .where('token_digest', '=', tokenDigest)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where(sql<boolean>`expires_at > clock_now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Closes every link of a person that is still open. */
export async function withdrawLinks(trx: Db, personId: string): Promise<void> {
  await closeLinks(trx).where('person_id', '=', personId).execute();
}

/** Closes the other open links for a first admin: earlier starts printed them, and the first one used decides. */
export async function withdrawFirstAdminLinks(trx: Db, usedDigest: Buffer): Promise<void> {
  await closeLinks(trx).where('purpose', '=', 'first_admin').where('token_digest', '<>', usedDigest).execute();
}

function closeLinks(trx: Db) {
  const now = sql<string>`clock_now()`;
  return trx.updateTable('set_up_link').set({ withdrawn_at: now }).where('used_at', 'is', null).where('withdrawn_at', 'is', null);
}
