'use client';

import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AskAgain } from '#app/[game]/_subscriptions/ask-again.tsx';
import type { ReadFacts } from '#lib/subscriptions/rules/judge-subscription-reading.ts';
import type { ChangeState, ClosedView } from './change-state.ts';
import { EscapeBack } from './escape-back.tsx';
import { Receipt } from './receipt.tsx';
import { UnknownNotice } from './unknown-notice.tsx';

export interface ChangeFrameProps {
  state: ChangeState;
  /** Why there is no form; null: there is one. */
  closed: ClosedView | null;
  /** The subscription as the page shows it; null where it could not be read. */
  facts: ReadFacts | null;
  /** Where the subscription itself is. */
  back: string;
  /** Under a receipt: what may come next. */
  next?: ReactNode;
  children: ReactNode;
}

/** What a change says at each of its stages: what became of it, why there is no form, or the form. */
export function ChangeFrame({ state, closed, facts, back, next, children }: ChangeFrameProps): ReactElement {
  return (
    <div>
      <EscapeBack href={back} />
      {state.kind === 'done' ? (
        <Receipt receipt={state} back={back} next={next} />
      ) : (
        <>
          <Outcome state={state} facts={facts} hasForm={closed === null} />
          {closed === null ? children : <Closed view={closed} />}
        </>
      )}
    </div>
  );
}

function Outcome({ state, facts, hasForm }: { state: ChangeState; facts: ReadFacts | null; hasForm: boolean }): ReactElement {
  // What belongs to a field stands beside it.
  const isHere = state.kind === 'refused' && (state.at === 'button' || !hasForm);
  return (
    <div role="status">
      {state.kind === 'changed' && (
        <Notice voice="wait" title="The subscription has changed since you looked">
          Nothing was sent. What it is now stands on this page; look at it again and confirm again.
        </Notice>
      )}
      {state.kind === 'lost' && (
        <Notice
          voice="wait"
          title="Sharebook did not answer: whether it was sent is not known"
          actions={<AskAgain word="Read the subscription again" />}
        >
          Read the subscription again and look whether it happened. Asking once more is harmless.
        </Notice>
      )}
      {state.kind === 'no_answer' && (
        <Notice voice="bad" title="Nothing was sent" actions={<Reference errorId={state.errorId} />}>
          {state.sentence}
        </Notice>
      )}
      {state.kind === 'refused' && isHere && (
        <Notice voice="bad" title="Nothing was changed" actions={<Reference errorId={state.errorId} />}>
          {state.sentence}
        </Notice>
      )}
      {state.kind === 'unknown' && <UnknownNotice unknown={state} facts={facts} />}
    </div>
  );
}

function Closed({ view }: { view: ClosedView }): ReactElement {
  if (view.kind === 'closed')
    return (
      <Notice voice="note" title={view.title}>
        {view.sentence}
      </Notice>
    );
  return (
    <Notice
      voice="bad"
      title="Without fresh facts from Invo nothing is changed"
      actions={
        <>
          <AskAgain word="Ask Invo again" />
          <Reference errorId={view.errorId} />
        </>
      }
    >
      {view.sentence}
    </Notice>
  );
}

function Reference({ errorId }: { errorId: string | null }): ReactElement | null {
  return errorId === null ? null : <CopyButton text={errorId} what="reference" />;
}
