import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/clock.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatAge, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import { AskAgain } from './ask-again.tsx';

/** Says how fresh the page is, when it is not live: what Invo said last and why it could not be asked, or that nothing is held. */
export async function ReadNotice({ detail, what }: { detail: Detail<unknown>; what: string }): Promise<ReactElement | null> {
  if (detail.kind === 'live' || detail.kind === 'not_found') return null;
  const { sentence, errorId } = detail.trouble;
  const actions = (
    <>
      <AskAgain word="Ask Invo again" />
      {errorId !== null && <CopyButton text={errorId} what="reference" />}
    </>
  );
  if (detail.kind === 'nothing')
    return (
      <Notice voice="bad" title={`Invo could not be asked about ${what}, and no earlier answer is held`} actions={actions}>
        {sentence}
      </Notice>
    );
  const age = formatAge(detail.readAt, await storedNow());
  return (
    <Notice voice="wait" title={`Invo could not be asked about ${what}: this is what it said ${age}`} actions={actions}>
      {sentence} Read at {formatUtc(detail.readAt)}; it may have changed since.
    </Notice>
  );
}
