'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { formAction } from '../_server/form-action.ts';
import { endSession } from '../_server/sign-in-cookies.ts';

/** Ends the session in the browser and in the database, and opens the sign-in page. */
export const signOut = formAction({ schema: z.object({}), who: 'anyone' }, async (): Promise<void> => {
  await endSession();
  redirect('/sign-in');
});
