'use client';

import { type ReactElement, useState } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AskAgain } from '#app/[game]/_subscriptions/ask-again.tsx';
import { judgeSubscriptionReading, type ReadFacts, type Verdict } from '#lib/subscriptions/rules/judge-subscription-reading.ts';
import type { ChangeState } from './change-state.ts';

type Unknown = Extract<ChangeState, { kind: 'unknown' }>;

const VERDICTS: Record<Verdict, { title: string; text: string }> = {
  there: { title: 'It happened', text: 'The subscription, read again just now, shows the change. There is nothing more to do.' },
  not_there: {
    title: 'It has not happened so far',
    text: 'The subscription, read again just now, stands as before. Asking once more is harmless, even if the first request arrives late.',
  },
  cannot_tell: {
    title: 'Invo does not show whether it happened',
    text: 'Which card is attached is never told. Asking once more for the same card is harmless, and its answer names the card.',
  },
};

/** A change nobody knows the outcome of, and what a new reading says about it. */
export function UnknownNotice({ unknown, facts }: { unknown: Unknown; facts: ReadFacts | null }): ReactElement {
  const [readFor, setReadFor] = useState<Unknown | null>(null);
  const verdict = readFor === unknown && facts !== null ? judgeSubscriptionReading(unknown.asked, facts) : null;
  const actions = (
    <>
      <AskAgain word="Read the subscription again" onAsk={() => setReadFor(unknown)} />
      {unknown.errorId !== null && <CopyButton text={unknown.errorId} what="reference" />}
    </>
  );
  if (verdict !== null)
    return (
      <Notice voice={verdict === 'there' ? 'good' : 'wait'} title={VERDICTS[verdict].title} actions={actions}>
        {VERDICTS[verdict].text}
      </Notice>
    );
  return (
    <Notice voice="wait" title="We do not know whether it happened" actions={actions}>
      {unknown.sentence} Nothing is lost by asking again: read the subscription first.
      {!unknown.isRecorded && ' The audit could not be told of this.'}
    </Notice>
  );
}
