import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { formatChanges } from '#lib/refunds/text.ts';
import type { RefundFormState } from './form-state.ts';

export interface FormNoticeProps {
  slug: string;
  result: RefundFormState;
  /** The period as it was when the form was sent, and as it is on the page now. */
  sentOn: PeriodFacts | null;
  now: PeriodFacts;
}

/** Why the refund was not requested, where it is not about one field; announced when it appears. */
export function FormNotice(props: FormNoticeProps): ReactElement {
  return <div role="alert">{noticeOf(props)}</div>;
}

function noticeOf({ slug, result, sentOn, now }: FormNoticeProps): ReactElement | null {
  switch (result.kind) {
    // A refund that was stored leads to its page, and no field is refused by name.
    case 'idle':
    case 'done':
    case 'invalid':
      return null;
    case 'refused':
      return result.at === 'button' || result.at === 'wallet' ? (
        <Notice voice="bad" title="The refund was not requested">
          {result.sentence}
        </Notice>
      ) : null;
    case 'changed': {
      const changes = sentOn === null ? [] : formatChanges(sentOn, now);
      return (
        <Notice voice="wait" title="The period changed at Invo, so the refund was not requested">
          {changes.length === 0 ? 'The page now shows Invo’s current data.' : changes.join(' ')} Check the amount and confirm again.
        </Notice>
      );
    }
    case 'another_open':
      return (
        <Notice
          voice="wait"
          title="This period already has an open refund, so this one was not requested"
          actions={<LinkButton href={`/${slug}/refunds/${result.refundId}`}>View refund {result.refundId}</LinkButton>}
        >
          A period can have one open refund at a time. Check the outcome of the open one first.
        </Notice>
      );
    case 'lost':
      return (
        <Notice voice="wait" title="We couldn’t confirm whether the refund was requested">
          Your entries are still here. Confirm again: this form creates one refund, however often you send it, and opens it.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          voice="bad"
          title="The period couldn’t be read from Invo, so the refund was not requested"
          actions={result.errorId ? <CopyButton text={result.errorId} what="reference" /> : null}
        >
          {result.sentence} Nothing was sent. Your entries are still here.
        </Notice>
      );
  }
}
