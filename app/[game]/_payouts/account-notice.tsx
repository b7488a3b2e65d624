import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { AccountRefusal } from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';

/** Says why a person who has the right can’t act here as one of two people; nothing when they can. */
export function AccountNotice({ refusal }: { refusal: AccountRefusal | null }): ReactElement | null {
  return refusal === null ? null : (
    <Notice voice="wait" title="Your account doesn’t count yet">
      {ACCOUNT_TEXT[refusal]}
    </Notice>
  );
}
