import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { changeAsAdmin } from './change-as-admin.ts';
import { makeLink } from './make-link.ts';

export type LinkMade =
  | { ok: true /** Of the one-time link to hand over. */; token: string }
  | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'disabled' };

/** Makes a person a new one-time link to set a password, and closes earlier ones. The password they have works until then. */
export async function resetPasswordLink(db: Db, { actorId, personId }: { actorId: string; personId: string }): Promise<LinkMade> {
  return await changeAsAdmin<LinkMade>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'disabled' };
    const token = await makeLink(trx, { purpose: person.hasPassword ? 'new_password' : 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, { actor: admin.email, act: 'made a password link', subject: person.email });
    return { ok: true, token };
  });
}
