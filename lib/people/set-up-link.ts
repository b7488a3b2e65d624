import { randomBytes } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { digestLinkToken, findSetUpLink, type LinkFound } from './find-set-up-link.ts';
import { checkPassword, hashPassword, type PasswordError } from './password.ts';
import { type AccountWait, type Identity, isAbleAdmin, isFounder, isNameTaken, parseIdentity } from './rules/person.ts';
import type { LinkRefusal } from './text.ts';
import { insertConfirmation } from './writes/confirmations.ts';
import { changePeople, deleteSessions, insertPerson, listStoredPeople, updatePerson, upsertPassword } from './writes/people.ts';
import { insertLink, type LinkPurpose, redeemLink, withdrawFirstAdminLinks, withdrawLinks } from './writes/set-up-links.ts';

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
  trx: Db,
  { purpose, personId, madeBy }: { purpose: LinkPurpose; personId: string | null; madeBy: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const tokenDigest = digestLinkToken(token);
  if (!tokenDigest) throw new Error('the new link token does not have the accepted form');
  if (personId !== null) await withdrawLinks(trx, personId);
  await insertLink(trx, { token_digest: tokenDigest, purpose, person_id: personId, made_by: madeBy, validFor_hours: LINK_HOURS });
  return token;
}

export interface SetUp {
  token: string;
  /** Of a new account. A new password leaves the name as it is. */
  name: string;
  /** Of the first admin. Everyone else has the email they were added with. */
  email: string;
  password: string;
}

type Found = Extract<LinkFound, { ok: true }>;

export type SetUpDone =
  | { ok: true; email: string }
  | { ok: false; reason: LinkRefusal | PasswordError | 'bad_email' | 'bad_name' | 'name_taken' | 'email_taken' };

/**
 * Sets a password, and the name of an account that had none, through a one-time link and signs that person out everywhere. A refusal leaves the link unused.
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
  const renewed = seen.purpose === 'new_password' ? seen.person : null;
  const parsed = parseIdentity({ name: renewed?.name ?? name, email: seen.person?.email ?? email });
  if (!parsed.ok) return parsed;
  const error = checkPassword(password);
  if (error) return { ok: false, reason: error };
  const passwordHash = await hash(password);
  return await changePeople<SetUpDone>(db, async (trx) => {
    const link = await findSetUpLink(trx, token);
    if (!link.ok) return link;
    const stored = await storeIdentity(trx, link, parsed.identity);
    if (!stored.ok) return stored;
    const { personId } = stored;
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
      detail: { purpose: link.purpose, waits: isWaiting, ...stored.renamed },
    });
    return { ok: true, email: parsed.identity.email };
  });
}

/** Whether the account waits before it counts as one of two people: not that of the first admin, or of who is invited as one of the first two with the role finance. */
async function waits(trx: Db, { purpose }: Found, personId: string): Promise<boolean> {
  if (purpose !== 'invitation') return purpose === 'new_password';
  const people = await listStoredPeople(trx);
  const person = people.find(({ id }) => id === personId);
  return person === undefined || !isFounder(person, person.request?.roles ?? [], people);
}

type StoredIdentity =
  | { ok: true; personId: string; renamed: { name?: { before: string; after: string } } }
  | { ok: false; reason: 'email_taken' | 'name_taken' };

/** Stores who the account belongs to. A link to a new password leaves the name: who has it could take that of someone else. */
async function storeIdentity(trx: Db, { person, purpose }: Found, { name, email }: Identity): Promise<StoredIdentity> {
  if (person !== null && purpose === 'new_password') return { ok: true, personId: person.id, renamed: {} };
  const people = await listStoredPeople(trx);
  const others = people.filter(({ id }) => id !== person?.id);
  if (others.some((other) => other.email === email)) return { ok: false, reason: 'email_taken' };
  if (isNameTaken(name, others)) return { ok: false, reason: 'name_taken' };
  if (person === null) return { ok: true, personId: await insertPerson(trx, { name, email, roles: ['admin'] }), renamed: {} };
  await updatePerson(trx, person.id, { name });
  return { ok: true, personId: person.id, renamed: person.name === name ? {} : { name: { before: person.name, after: name } } };
}
