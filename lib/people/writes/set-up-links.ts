import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';

const LINK_PURPOSES = ['first_admin', 'invitation', 'new_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface NewLink {
  /** SHA-256 of its token. */
  tokenDigest: Buffer;
  purpose: LinkPurpose;
  /** Whose password it sets; null for the first admin. */
  personId: string | null;
  madeBy: string;
  validFor_hours: number;
}

export interface StoredLink {
  purpose: LinkPurpose;
  personId: string | null;
  /** Email of the admin, or "command line". */
  madeBy: string;
  isUsed: boolean;
  isWithdrawn: boolean;
  /** By the database clock. */
  isExpired: boolean;
}

/** Adds a one-time link. */
export async function insertLink(trx: Db, link: NewLink): Promise<void> {
  await trx
    .insertInto('set_up_link')
    .values({
      token_digest: link.tokenDigest,
      purpose: link.purpose,
      person_id: link.personId,
      made_by: link.madeBy,
      expires_at: sql<string>`clock_now() + make_interval(hours => ${link.validFor_hours})`,
    })
    .execute();
}

/** Finds the link of a token digest, whatever its state; null when there never was one. */
export async function findLink(db: Db, tokenDigest: Buffer): Promise<StoredLink | null> {
  const row = await db
    .selectFrom('set_up_link')
    .select(['purpose', 'person_id', 'made_by', 'used_at', 'withdrawn_at', sql<boolean>`expires_at <= clock_now()`.as('is_expired')])
    .where('token_digest', '=', tokenDigest)
    .executeTakeFirst();
  if (!row) return null;
  const { purpose, person_id: personId, made_by: madeBy, used_at, withdrawn_at, is_expired: isExpired } = row;
  return {
    purpose: parseEnum(LINK_PURPOSES, purpose),
    personId,
    madeBy,
    isUsed: used_at !== null,
    isWithdrawn: withdrawn_at !== null,
    isExpired,
  };
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
  await trx
    .updateTable('set_up_link')
    .set({ withdrawn_at: sql<string>`clock_now()` })
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute();
}

/** Closes the other open links for a first admin: earlier starts printed them, and the first one used decides. */
export async function withdrawFirstAdminLinks(trx: Db, usedDigest: Buffer): Promise<void> {
  await trx
    .updateTable('set_up_link')
    .set({ withdrawn_at: sql<string>`clock_now()` })
    .where('purpose', '=', 'first_admin')
    .where('token_digest', '<>', usedDigest)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute();
}
