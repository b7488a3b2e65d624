import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { insertPerson } from '#db/people/writes/people.ts';
import type { Role } from '../core/roles.ts';
import { changeAsAdmin } from './change-as-admin.ts';
import { makeLink } from './make-link.ts';
import { parseIdentity } from './rules/parse-identity.ts';

export interface NewPerson {
  /** Id of the admin who adds them. */
  actorId: string;
  email: string;
  name: string;
  role: Role;
}

export type PersonAdded =
  | { ok: true; personId: string /** Of the one-time link to hand over. */; token: string }
  | { ok: false; reason: 'not_allowed' | 'bad_email' | 'bad_name' | 'email_taken' };

/** Adds a person with a role. They set their own password through the one-time link the admin hands over. */
export async function addPerson(db: Db, { actorId, role, ...words }: NewPerson): Promise<PersonAdded> {
  const parsed = parseIdentity(words);
  if (!parsed.ok) return parsed;
  const { email, name } = parsed.identity;
  return await changeAsAdmin<PersonAdded>(db, actorId, async ({ trx, admin, people }) => {
    if (people.some((person) => person.email === email)) return { ok: false, reason: 'email_taken' };
    const personId = await insertPerson(trx, { email, name, role });
    const token = await makeLink(trx, { purpose: 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, { actor: admin.email, act: 'added a person', subject: email, detail: { role } });
    return { ok: true, personId, token };
  });
}
