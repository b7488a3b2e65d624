import { randomBytes } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { isAbleAdmin } from './rules/person.ts';
import { changePeople, listStoredPeople, type PeopleTransaction } from './writes/people.ts';
import { insertLink, type LinkPurpose, withdrawLinks } from './writes/set-up-links.ts';

/** Hours for which a one-time link is valid. */
export const LINK_HOURS = 24;

/**
 * Makes the one-time link for the first admin; null when an admin who can sign in exists. Returns its token.
 * Links made by earlier starts stay valid until one of them is used or they expire.
 */
export async function createSetUpLink(db: Db): Promise<string | null> {
  return await changePeople(db, async (trx) => {
    if ((await listStoredPeople(trx)).some(isAbleAdmin)) return null;
    await recordAudit(trx, { actor: 'command line', act: 'made a set-up link', subject: 'first admin' });
    return await makeLink(trx, { purpose: 'first_admin', personId: null, madeBy: 'command line' });
  });
}

/** Makes the one valid link by which a person sets a password and closes earlier ones. Returns its token, which is stored nowhere. */
export async function makeLink(
  trx: PeopleTransaction,
  { purpose, personId, madeBy }: { purpose: LinkPurpose; personId: string | null; madeBy: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const tokenDigest = digestLinkToken(token);
  if (!tokenDigest) throw new Error('the new link token does not have the accepted form');
  if (personId !== null) await withdrawLinks(trx, personId);
  await insertLink(trx, { tokenDigest, purpose, personId, madeBy, validFor_hours: LINK_HOURS });
  return token;
}

/** SHA-256 of a link token, which is all that is stored of it; null when the text cannot be a token. */
export function digestLinkToken(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? sha256Of(token) : null;
}
