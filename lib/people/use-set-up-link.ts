import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { findSetUpLink, type LinkFound } from './find-set-up-link.ts';
import type { AccountWait } from './manage-people.ts';
import { checkPassword, hashPassword, type PasswordError } from './password.ts';
import { type Identity, isFounder, parseIdentity } from './rules/person.ts';
import type { LinkRefusal } from './text.ts';
import { insertConfirmation } from './writes/confirmations.ts';
import {
  changePeople,
  deleteSessions,
  insertPerson,
  listStoredPeople,
  type PeopleTransaction,
  updatePerson,
  upsertPassword,
} from './writes/people.ts';
import { redeemLink, withdrawFirstAdminLinks } from './writes/set-up-links.ts';

export interface SetUp {
  token: string;
  name: string;
  /** Of the first admin. Everyone else has the email they were added with. */
  email: string;
  password: string;
}

type Found = Extract<LinkFound, { ok: true }>;

export type SetUpDone =
  | { ok: true; email: string }
  | { ok: false; reason: LinkRefusal | PasswordError | 'bad_email' | 'bad_name' | 'email_taken' };

/**
 * Sets a name and a password through a one-time link and signs that person out everywhere. A refusal leaves the link unused.
 * When two requests use it at once, one is refused. The account waits before it counts as one of two people.
 */
export async function useSetUpLink(
  db: Db,
  { token, name, email, password }: SetUp,
  { accountWait_hours }: AccountWait,
  hash: typeof hashPassword = hashPassword,
): Promise<SetUpDone> {
  const seen = await findSetUpLink(db, token);
  if (!seen.ok) return seen;
  const parsed = parseIdentity({ name, email: seen.person?.email ?? email });
  if (!parsed.ok) return parsed;
  const error = checkPassword(password);
  if (error) return { ok: false, reason: error };
  const passwordHash = await hash(password);
  return await changePeople<SetUpDone>(db, async (trx) => {
    const link = await findSetUpLink(trx, token);
    if (!link.ok) return link;
    const personId = await storeIdentity(trx, link, parsed.identity);
    if (personId === null) return { ok: false, reason: 'email_taken' };
    const isWaiting = await waits(trx, link, personId);
    if (isWaiting) await updatePerson(trx, personId, { countsAfter_hours: accountWait_hours });
    if (link.purpose === 'first_admin') await withdrawFirstAdminLinks(trx, link.tokenDigest);
    if (link.purpose === 'first_admin') await insertConfirmation(trx, { personId, by: null, basis: 'set_up_link' });
    if (!(await redeemLink(trx, link.tokenDigest))) throw new Error('an open link is closed inside the transaction that holds it');
    await upsertPassword(trx, personId, passwordHash);
    await deleteSessions(trx, personId);
    await recordAudit(trx, {
      actor: 'set-up link',
      act: 'set a password',
      subject: parsed.identity.email,
      detail: { purpose: link.purpose, waits: isWaiting },
    });
    return { ok: true, email: parsed.identity.email };
  });
}

/** Whether the account waits before it counts as one of two people: not that of the first admin, or of who is invited as one of the first two with the role finance. */
async function waits(trx: PeopleTransaction, { purpose }: Found, personId: string): Promise<boolean> {
  if (purpose !== 'invitation') return purpose === 'new_password';
  const people = await listStoredPeople(trx);
  const person = people.find(({ id }) => id === personId);
  return person === undefined || !isFounder(person, person.request?.roles ?? [], people);
}

async function storeIdentity(trx: PeopleTransaction, link: Found, { name, email }: Identity): Promise<string | null> {
  if (link.person) {
    await updatePerson(trx, link.person.id, { name });
    return link.person.id;
  }
  if ((await listStoredPeople(trx)).some((person) => person.email === email)) return null;
  return await insertPerson(trx, { name, email, roles: ['admin'] });
}
