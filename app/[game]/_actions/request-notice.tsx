import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { ActionFormState } from './request-state.ts';

/** Why the form of a desk action requested nothing; null: it requested it, or says so beside a field. */
export function RequestNotice({ slug, result }: { slug: string; result: ActionFormState }): ReactElement | null {
  switch (result.kind) {
    case 'refused':
      return result.at === undefined ? (
        <Notice voice="bad" title="Nothing was requested">
          {result.sentence}
        </Notice>
      ) : null;
    case 'another_open':
    case 'alike':
      return (
        <Notice
          voice="wait"
          title={
            result.kind === 'alike'
              ? `Action ${result.actionId} requested the same for this player in the last 30 days`
              : `Action ${result.actionId} about the same is open`
          }
          actions={<LinkButton href={`/${slug}/actions/${result.actionId}`}>View action {result.actionId}</LinkButton>}
        >
          {result.kind === 'alike'
            ? 'Nothing was requested. Look at it first; if the same is wanted once more, continue and confirm again.'
            : 'Nothing was requested. Look at that one first: two of them could execute it twice.'}
        </Notice>
      );
    case 'made_before':
      return (
        <Notice
          voice="wait"
          title={`This form already requested action ${result.actionId}`}
          actions={<LinkButton href={`/${slug}/actions/${result.actionId}`}>View action {result.actionId}</LinkButton>}
        >
          Nothing else was requested. To request something else, open a new form from the page you came from.
        </Notice>
      );
    case 'lost':
      return (
        <Notice voice="wait" title="We couldn’t confirm whether this was requested">
          Your entries are still here. Confirm again: this form makes one action, however often you send it, and opens it.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          voice="bad"
          title="Invo couldn’t be read, so nothing was requested"
          actions={result.errorId ? <CopyButton text={result.errorId} what="reference" /> : null}
        >
          {result.sentence} Nothing was sent. Your entries are still here.
        </Notice>
      );
    case 'idle':
    case 'done':
    case 'invalid':
    case 'password':
    case 'passed':
      return null;
  }
}
