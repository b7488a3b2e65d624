import 'server-only';
import { isAPIError } from 'better-auth/api';
import { headers } from 'next/headers';
import { recordAudit } from '#db/people/writes/audit.ts';
import { db } from '../wiring.ts';
import { auth } from './auth.ts';

/** Signs a person in and sets their cookie. False: address, password or status do not open anything; which of them is not told. */
export async function openSession(email: string, password: string): Promise<boolean> {
  try {
    await auth().api.signInEmail({ body: { email, password }, headers: await headers() });
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return false;
    throw error;
  }
  await recordAudit(db(), { actor: email.toLowerCase(), act: 'signed in', subject: 'Sharebook' });
  return true;
}
