import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { deleteSessions, updatePerson } from '#db/people/writes/people.ts';
import { may, type Role } from '../core/roles.ts';
import { changeAsAdmin, isLastAdmin } from './change-as-admin.ts';

export type RoleChanged =
  | { ok: true; sessionsEnded: number }
  | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'same_role' | 'last_admin' };

/** Gives a person another role and signs them out everywhere. The last admin who can sign in stays one. */
export async function changeRole(
  db: Db,
  { actorId, personId, role }: { actorId: string; personId: string; role: Role },
): Promise<RoleChanged> {
  return await changeAsAdmin<RoleChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.role === role) return { ok: false, reason: 'same_role' };
    if (!may(role, 'people.manage') && isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    await updatePerson(trx, personId, { role });
    const sessionsEnded = await deleteSessions(trx, personId);
    await recordAudit(trx, {
      actor: admin.email,
      act: 'changed a role',
      subject: person.email,
      detail: { before: person.role, after: role },
    });
    return { ok: true, sessionsEnded };
  });
}
