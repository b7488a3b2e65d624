import type { PeopleTransaction } from '#db/people/writes/people.ts';
import { insertLink, type LinkPurpose, withdrawLinks } from '#db/people/writes/set-up-links.ts';
import { digestLinkToken, LINK_HOURS, makeLinkToken } from './link-token.ts';

/**
 * Makes the one link by which a person sets their password; earlier ones close. Returns its token, which is shown once
 * and kept nowhere.
 */
export async function makeLink(
  trx: PeopleTransaction,
  { purpose, personId, madeBy }: { purpose: LinkPurpose; personId: string | null; madeBy: string },
): Promise<string> {
  const token = makeLinkToken();
  const tokenDigest = digestLinkToken(token);
  if (!tokenDigest) throw new Error('a link token of another form than the one accepted was made');
  if (personId !== null) await withdrawLinks(trx, personId);
  await insertLink(trx, { tokenDigest, purpose, personId, madeBy, validFor_hours: LINK_HOURS });
  return token;
}
