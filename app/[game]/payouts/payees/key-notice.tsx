import type { ReactElement } from 'react';
import { payeeKey } from '#app/_server/server-context.ts';
import { Notice } from '#app/_ui/words/notice.tsx';

/** What to set where no key is; nothing otherwise. The variable is named here and not in the feature's text, which browsers load. */
export function KeyNotice(): ReactElement | null {
  if (payeeKey() !== null) return null;
  return (
    <Notice voice="wait" title="Payment details need a key">
      SHAREBOOK_PAYEE_KEY isn’t set. Payment details are sealed under it, so none can be entered or opened. Everything else works. Make one
      with “openssl rand -base64 32”, set it for the web processes, store a copy apart from the database, and restart Sharebook.
    </Notice>
  );
}
