import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { deleteSessions, updatePerson } from '#db/people/writes/people.ts';
import { withdrawLinks } from '#db/people/writes/set-up-links.ts';
import { changeAsAdmin, isLastAdmin } from './change-as-admin.ts';

export interface StandingChange {
  actorId: string;
  personId: string;
}

export type StandingChanged = { ok: true } | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'already_so' | 'last_admin' };

/** Keeps a person out: their sessions end, their links close, their name stays in the record. The last admin who can sign in stays. */
export async function disablePerson(db: Db, { actorId, personId }: StandingChange): Promise<StandingChanged> {
  return await changeAsAdmin<StandingChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'already_so' };
    if (isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    await updatePerson(trx, personId, { isDisabled: true });
    await withdrawLinks(trx, personId);
    await deleteSessions(trx, personId);
    await recordAudit(trx, { actor: admin.email, act: 'disabled a person', subject: person.email });
    return { ok: true };
  });
}

/** Lets a person in again, with the role and the password they had. */
export async function enablePerson(db: Db, { actorId, personId }: StandingChange): Promise<StandingChanged> {
  return await changeAsAdmin<StandingChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (!person.isDisabled) return { ok: false, reason: 'already_so' };
    await updatePerson(trx, personId, { isDisabled: false });
    await recordAudit(trx, { actor: admin.email, act: 'enabled a person', subject: person.email });
    return { ok: true };
  });
}
