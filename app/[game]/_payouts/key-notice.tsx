import type { ReactElement } from 'react';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { findKeyRefusal, formatOtherKey } from '#lib/payees/find-key-refusal.ts';

/** What to set where no key is, or another one than that of stored details; nothing otherwise. The feature's text, which browsers load, doesn't name the variable. */
export async function KeyNotice(): Promise<ReactElement | null> {
  const refusal = await findKeyRefusal(db(), payeeKey());
  if (refusal === null) return null;
  if (refusal.reason === 'other_key')
    return (
      <Notice voice="bad" title="Payment details have another key">
        {formatOtherKey(refusal)} Until then, none can be entered, confirmed or opened.
      </Notice>
    );
  return (
    <Notice voice="wait" title="Payment details need a key">
      SHAREBOOK_PAYEE_KEY isn’t set. Payment details, sender accounts, payment files and bank reports are sealed under it, so none can be
      stored, confirmed or opened. Everything else works. Make one with “openssl rand -base64 32”, set it for the web processes, and restart
      Sharebook. Store a copy apart from the database.
    </Notice>
  );
}
