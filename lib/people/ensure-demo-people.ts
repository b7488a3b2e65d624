import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { hashPassword } from './password.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from './rules/person.ts';
import { insertConfirmation } from './writes/confirmations.ts';
import { changePeople, insertPerson, listStoredPeople, upsertPassword } from './writes/people.ts';

/**
 * Adds the demo people that a simulated database does not have yet. Returns how many.
 * Errors: throws when the data is not simulated, before anything is written.
 */
export async function ensureDemoPeople(db: Db, { isSimulated }: { isSimulated: boolean }): Promise<number> {
  if (!isSimulated) throw new Error('demo people belong in a simulated database only');
  if ((await listMissing(db)).length === 0) return 0;
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  return await changePeople(db, async (trx) => {
    const missing = await listMissing(trx);
    for (const person of missing) {
      const id = await insertPerson(trx, person);
      await upsertPassword(trx, id, passwordHash);
      await insertConfirmation(trx, { personId: id, by: null, basis: 'simulated' });
      await recordAudit(trx, { actor: 'command line', act: 'added a demo person', subject: person.email, detail: { roles: person.roles } });
    }
    return missing.length;
  });
}

async function listMissing(db: Parameters<typeof listStoredPeople>[0]): Promise<typeof DEMO_PEOPLE> {
  const emails = new Set((await listStoredPeople(db)).map((person) => person.email));
  return DEMO_PEOPLE.filter((person) => !emails.has(person.email));
}
