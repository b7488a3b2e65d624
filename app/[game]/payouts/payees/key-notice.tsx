import type { ReactElement } from 'react';
import { payeeKey } from '#app/_server/server-context.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { KEY_MISSING } from '#lib/payees/text.ts';

/** What to set where no key is; nothing otherwise. */
export function KeyNotice(): ReactElement | null {
  if (payeeKey() !== null) return null;
  return (
    <Notice voice="wait" title={KEY_MISSING.title}>
      {KEY_MISSING.what} {KEY_MISSING.how}
    </Notice>
  );
}
