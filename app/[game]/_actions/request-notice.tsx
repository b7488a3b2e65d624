import Link from 'next/link';
import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { EntryKind } from './entry-text.ts';
import type { ActionFormState } from './request-state.ts';

interface RequestNoticeProps {
  slug: string;
  result: ActionFormState;
  entry: EntryKind | null;
}

/** What must be entered once more, because it goes to Invo and nowhere else. */
const AGAIN: Readonly<Partial<Record<EntryKind, string>>> = {
  claim_code: 'Enter the code again: the page doesn’t store it.',
  claim_phone: 'Enter the code and the phone again: the page doesn’t store them.',
  purchase: 'Enter the card token again: the page doesn’t store it.',
  card: 'Enter the card token again, if there was one: the page doesn’t store it.',
};

/** Why the form of a desk action requested nothing; null: it requested it, or says so beside a field. */
export function RequestNotice({ slug, result, entry }: RequestNoticeProps): ReactElement | null {
  const again = (entry === null ? null : AGAIN[entry]) ?? null;
  const entries = again === null ? 'Your entries are still here.' : `Your other entries are still here. ${again}`;
  switch (result.kind) {
    case 'refused':
      return result.at === undefined ? (
        <Notice voice="bad" title="Nothing was requested">
          {result.sentence} {'next' in result ? <Next slug={slug} next={result.next} entries={entries} /> : !('isFinal' in result) && again}
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
            ? `Nothing was requested. Look at it first; if the same is wanted once more, continue and confirm again. ${again ?? ''}`
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
          {entries} Confirm again: this form makes one action, however often you send it, and opens it.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          voice="bad"
          title="Invo couldn’t be read, so nothing was requested"
          actions={result.errorId ? <CopyButton text={result.errorId} what="reference" /> : null}
        >
          {result.sentence} Nothing was sent. {entries}
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

/** What must happen before the same can be requested. */
function Next({ slug, next, entries }: { slug: string; next: 'resume' | 'turn_on'; entries: string }): ReactElement {
  return next === 'resume' ? (
    <>
      {entries} Send it again once two people resume desk actions. <Link href={`/${slug}/actions`}>See who paused them, and why</Link>
    </>
  ) : (
    <>
      {entries} Send it again once an admin has turned them on in <Link href={`/settings/desk-actions/${slug}`}>Settings</Link>.
    </>
  );
}
