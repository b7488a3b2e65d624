import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { describeChanges } from '#app/[game]/_refunds/words/describe-changes.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import type { RefundFormState } from './form-state.ts';

export interface FormTroubleProps {
  slug: string;
  answer: RefundFormState;
  /** The period as it was when the form was sent, and as it is on the page now. */
  sentOn: PeriodFacts | null;
  now: PeriodFacts;
}

/** Why nothing was asked for, where it is not about one field; read out when it comes. */
export function FormTrouble(props: FormTroubleProps): ReactElement {
  return <div role="alert">{sayTrouble(props)}</div>;
}

function sayTrouble({ slug, answer, sentOn, now }: FormTroubleProps): ReactElement | null {
  switch (answer.kind) {
    case 'idle':
      return null;
    case 'refused':
      return answer.at === 'button' || answer.at === 'wallet' ? (
        <Notice voice="bad" title="Nothing was asked for">
          {answer.sentence}
        </Notice>
      ) : null;
    case 'changed': {
      const changes = sentOn === null ? [] : describeChanges(sentOn, now);
      return (
        <Notice voice="wait" title="The period changed at Invo while the form was open, so nothing was asked for">
          {changes.length === 0 ? 'What it shows now is what Invo tells now.' : changes.join(' ')} Check the amount and confirm again.
        </Notice>
      );
    }
    case 'another_open':
      return (
        <Notice
          voice="wait"
          title="A refund of this period is open already, so this one was not asked for"
          actions={<LinkButton href={`/${slug}/refunds/${answer.refundId}`}>See refund {answer.refundId}</LinkButton>}
        >
          A period takes one refund at a time. See what becomes of that one first.
        </Notice>
      );
    case 'lost':
      return (
        <Notice voice="wait" title="Sharebook did not answer: whether it was asked for is not known">
          What you filled in is still here. Confirm it again: this form makes one refund, however often it is sent, and leads to it.
        </Notice>
      );
    case 'no_answer':
      return (
        <Notice
          voice="bad"
          title="Invo could not be asked, so nothing was asked for and nothing is sent"
          actions={answer.errorId === null ? null : <CopyButton text={answer.errorId} what="reference" />}
        >
          {answer.sentence} What you filled in is still here.
        </Notice>
      );
  }
}
