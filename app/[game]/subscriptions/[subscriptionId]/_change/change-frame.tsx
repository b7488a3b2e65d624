'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { RefreshButton } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { type ReadFacts, type Verdict, verifyChange } from '#lib/subscriptions/rules/change-verdict.ts';
import styles from './change.module.css';
import type { ChangeState, ClosedView } from './change-state.ts';

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
          actions={<RefreshButton word="Read the subscription again" />}
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
          <RefreshButton word="Ask Invo again" />
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

interface ReceiptProps {
  receipt: Extract<ChangeState, { kind: 'done' }>;
  back: string;
  next?: ReactNode;
}

/** What Invo answered, beside what was expected; it takes the focus, since the form it answers is gone. */
export function Receipt({ receipt: { title, sentences, rows, isRecorded }, back, next }: ReceiptProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const differs = rows.some(({ agrees }) => agrees === false);
  return (
    <div ref={place} tabIndex={-1} className={styles.receipt} role="status">
      <Notice voice={differs ? 'wait' : 'good'} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {differs && <p>Invo’s answer is not what was expected; it stands below, and it is Invo’s that holds.</p>}
        {!isRecorded && <p>The audit could not be told what became of it; that it was asked for is on record.</p>}
      </Notice>
      {rows.length > 0 && <ComparedTable label="What Invo answered" rows={rows} />}
      <FormButtons>
        <LinkButton kind="main" href={back}>
          Back to the subscription
        </LinkButton>
        {next}
      </FormButtons>
    </div>
  );
}

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
  const verdict = readFor === unknown && facts !== null ? verifyChange(unknown.asked, facts) : null;
  const actions = (
    <>
      <RefreshButton word="Read the subscription again" onAsk={() => setReadFor(unknown)} />
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

/** Escape leads back to the subscription, unless something open or a field with the focus wants it for itself. */
export function EscapeBack({ href }: { href: string }): null {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Heard before a dialog closes itself, so that one press never does two things.
      if (event.key !== 'Escape' || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      if (document.activeElement?.matches('input[type="text"], textarea')) return;
      router.push(href);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [router, href]);
  return null;
}
