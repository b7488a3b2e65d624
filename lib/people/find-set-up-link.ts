import type { Db } from '#db/kit/open.ts';
import { listStoredPeople, type PeopleTransaction } from '#db/people/writes/people.ts';
import { findLink, type LinkPurpose } from '#db/people/writes/set-up-links.ts';
import { isAbleAdmin } from './change-as-admin.ts';
import { digestLinkToken } from './link-token.ts';

/** Why a link opens nothing. `admin_exists`: it was for the first admin, and there is one. */
export type LinkClosed = 'unknown_link' | 'used_link' | 'expired_link' | 'withdrawn_link' | 'admin_exists';

export type LinkFound =
  | {
      ok: true;
      tokenDigest: Buffer;
      purpose: LinkPurpose /** Whose password it sets; null: the first admin, still without a name. */;
      person: LinkPerson | null;
    }
  | { ok: false; reason: LinkClosed };

interface LinkPerson {
  id: string;
  name: string;
  email: string;
}

/** Looks a one-time link up without using it, and tells apart why one opens nothing. */
export async function findSetUpLink(db: Db | PeopleTransaction, token: string): Promise<LinkFound> {
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
    person: person ? { id: person.id, name: person.name, email: person.email } : null,
  };
}
