'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { auth } from '../_server/auth.ts';
import { checkOrigin } from '../_server/receive-form.ts';

/** Ends the session in the browser and in the database, and opens the sign-in page. */
export async function signOut(): Promise<void> {
  if (await checkOrigin()) return;
  await auth().api.signOut({ headers: await headers() });
  redirect('/sign-in');
}
