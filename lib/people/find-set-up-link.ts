import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { isAbleAdmin } from './rules/person.ts';
import type { LinkRefusal } from './text.ts';
import { listStoredPeople } from './writes/people.ts';
import { findLink, type LinkPurpose } from './writes/set-up-links.ts';

export type LinkFound =
  | {
      ok: true;
      tokenDigest: Buffer;
      purpose: LinkPurpose /** Whose password it sets; null: the first admin, who has no name yet. */;
      person: { id: string; name: string; email: string } | null;
      /** Email of who made it, or "command line". */
      madeBy: string;
    }
  | { ok: false; reason: LinkRefusal };

/** Finds a one-time link without using it, or the reason why it does not open. */
export async function findSetUpLink(db: Db, token: string): Promise<LinkFound> {
  const tokenDigest = digestLinkToken(token);
  const link = tokenDigest && (await findLink(db, tokenDigest));
  if (!tokenDigest || !link) return { ok: false, reason: 'unknown_link' };
  if (link.isUsed) return { ok: false, reason: 'used_link' };
  if (link.isWithdrawn) return { ok: false, reason: 'withdrawn_link' };
  if (link.isExpired) return { ok: false, reason: 'expired_link' };
  const people = await listStoredPeople(db);
  if (link.personId === null && people.some(isAbleAdmin)) return { ok: false, reason: 'admin_exists' };
  const person = people.find(({ id }) => id === link.personId);
  return {
    ok: true,
    tokenDigest,
    purpose: link.purpose,
    madeBy: link.madeBy,
    person: person ? { id: person.id, name: person.name, email: person.email } : null,
  };
}

/** SHA-256 of a link token, which is all that is stored of it; null when the text cannot be a token. */
export function digestLinkToken(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? sha256Of(token) : null;
}
