import type { Db } from '#db/kit/open.ts';
import type { Actor, SessionActor } from '../core/roles.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../people/rules/person.ts';
import { digestToken } from '../people/session-token.ts';
import { provePerson, signInByPassword } from '../people/sign-in.ts';
import { deleteSession, listStoredPeople } from '../people/writes/people.ts';

/** The two demo people who close months. */
export interface DemoPeople {
  preparer: Actor;
  approver: Actor;
  /** The approver in a session of theirs, in which they gave the demo password now; null: it isn't their password any more, or they have a second factor. */
  proveApprover(): Promise<SessionActor | null>;
  /** Signs the approver out. */
  close(): Promise<void>;
}

const PREPARER = 'finance@starfall.example';
const APPROVER = 'admin@starfall.example';

/** Opens the demo people of a database; null: one of them is missing or disabled. The approver signs in as on the page when the first approval needs it. */
export async function openDemoPeople(db: Db, { now, authSecret }: { now: () => string; authSecret: string }): Promise<DemoPeople | null> {
  const people = (await listStoredPeople(db)).filter(({ isDisabled }) => !isDisabled);
  const find = (email: string): Actor | undefined => people.find((person) => person.email === email && isDemo(email));
  const [preparer, approver] = [find(PREPARER), find(APPROVER)];
  if (preparer === undefined || approver === undefined) return null;
  let session: string | null = null;
  return {
    preparer,
    approver,
    proveApprover: async () => {
      session ??= await signIn(db, approver);
      if (session === null) return null;
      const proved = await provePerson(db, {
        actor: approver,
        tokenDigest: session,
        password: DEMO_PASSWORD,
        code: '',
        now: now(),
        authSecret,
      });
      if (!proved.ok) return null;
      session = digestToken(proved.token);
      return { ...approver, tokenDigest: session };
    },
    close: async () => {
      if (session !== null) await deleteSession(db, session);
      session = null;
    },
  };
}

function isDemo(email: string): boolean {
  return DEMO_PEOPLE.some((person) => person.email === email);
}

async function signIn(db: Db, { email }: Actor): Promise<string | null> {
  const signedIn = await signInByPassword(db, { email, password: DEMO_PASSWORD });
  return signedIn.kind === 'opened' ? digestToken(signedIn.token) : null;
}
