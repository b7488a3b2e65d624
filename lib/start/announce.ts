import { openDb } from '#db/kit/open.ts';
import { createSetUpLink, LINK_HOURS } from '../people/make-set-up-link.ts';

export type AnnounceOptions = { url: string; isSimulated: boolean; env: NodeJS.ProcessEnv };

/** Says, once everything is up, where to go and how to get in: one line each. Without an admin, that is a one-time link. */
export async function announce({ url, isSimulated, env }: AnnounceOptions): Promise<string[]> {
  const lines = ['', `Sharebook is ready at ${url}`];
  if (isSimulated) return [...lines, 'The data is simulated: open the address and pick a person to sign in as.', ''];
  const token = await makeSetUpToken(env['DATABASE_URL'] ?? '');
  if (token === null) return [...lines, 'Sign in with your e-mail and password.', ''];
  const where = `${new URL(url).origin}/set-up?token=${token}`;
  return [...lines, `Nobody is an admin yet. Open this link once, within ${LINK_HOURS} hours, to become the first:`, where, ''];
}

async function makeSetUpToken(databaseUrl: string): Promise<string | null> {
  const { db, close } = openDb(databaseUrl, { poolSize: 1 });
  try {
    return await createSetUpLink(db);
  } finally {
    await close();
  }
}
