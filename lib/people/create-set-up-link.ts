import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { changePeople, listStoredPeople } from '#db/people/writes/people.ts';
import { isAbleAdmin } from './change-as-admin.ts';
import { makeLink } from './make-link.ts';

/**
 * Makes the one-time link by which the first admin sets themself up; null when there is an admin who can sign in.
 * Returns its token. Links made by earlier starts keep working until one of them is used or they expire.
 */
export async function createSetUpLink(db: Db): Promise<string | null> {
  return await changePeople(db, async (trx) => {
    if ((await listStoredPeople(trx)).some(isAbleAdmin)) return null;
    await recordAudit(trx, { actor: 'command line', act: 'made a set-up link', subject: 'first admin' });
    return await makeLink(trx, { purpose: 'first_admin', personId: null, madeBy: 'command line' });
  });
}
