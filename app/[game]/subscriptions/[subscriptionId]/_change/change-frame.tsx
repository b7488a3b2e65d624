'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { FormButtons, useFormResult } from '#app/_ui/forms/form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { type ReadFacts, verifyChange } from '#lib/subscriptions/rules/changes.ts';
import { VERDICT_TEXT } from '#lib/subscriptions/text.ts';
import styles from './change.module.css';
import type { Change, ChangeState, ClosedView } from './change-state.ts';

export interface ChangeFrameProps {
  state: ChangeState;
  /** Why there is no form; null when there is one. */
  closed: ClosedView | null;
  /** The subscription as the page shows it; null when it couldn't be read. */
  facts: ReadFacts | null;
  /** The page of the subscription. */
  back: string;
  /** A further action below a receipt. */
  next?: ReactNode;
  children: ReactNode;
}

/** The frame of the three change forms: the outcome, the reason there is no form, or the form. */
export function ChangeFrame({ state, closed, facts, back, next, children }: ChangeFrameProps): ReactElement {
  return (
    <div>
      <EscapeBack href={back} />
      {state.kind === 'receipt' ? (
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
  // A refusal about one field is shown beside that field.
  const isHere = state.kind === 'refused' && ((state.at ?? 'button') === 'button' || !hasForm);
  return (
    <div role="status">
      {state.kind === 'changed' && (
        <Notice voice="wait" title="The subscription has changed since you opened this page">
          Nothing was sent. Review the current details on this page and confirm again.
        </Notice>
      )}
      {state.kind === 'lost' && (
        <Notice
          voice="wait"
          title="We couldn’t confirm whether the change was made"
          actions={<RefreshButton word="Refresh subscription" />}
        >
          Refresh the subscription and check before you try again. Trying again is safe.
        </Notice>
      )}
      {(state.kind === 'failed' || (state.kind === 'refused' && isHere)) && (
        <Notice
          voice="bad"
          title={state.kind === 'failed' ? 'Nothing was sent' : 'Nothing was changed'}
          actions={<Reference errorId={state.errorId} />}
        >
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
      title="The subscription couldn’t be read from Invo, so it can’t be changed"
      actions={
        <>
          <RefreshButton word="Try again" />
          <Reference errorId={view.errorId} />
        </>
      }
    >
      {view.sentence}
    </Notice>
  );
}

function Reference({ errorId = null }: { errorId?: string | null | undefined }): ReactElement | null {
  return errorId === null ? null : <CopyButton text={errorId} what="error ID" />;
}

interface ReceiptProps {
  receipt: Extract<ChangeState, { kind: 'receipt' }>;
  back: string;
  next?: ReactNode;
}

/** Invo's answer compared with what was expected. It takes the focus, because the form is gone. */
function Receipt({ receipt: { title, sentences, rows, isRecorded }, back, next }: ReceiptProps): ReactElement {
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => section.current?.focus(), []);
  const differs = rows.some(({ agrees }) => agrees === false);
  return (
    <div ref={section} tabIndex={-1} className={styles.receipt} role="status">
      <Notice voice={differs ? 'wait' : 'good'} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {differs && <p>Invo’s answer differs from what was expected. Invo’s answer applies; compare the two below.</p>}
        {!isRecorded && <p>The outcome couldn’t be written to the audit log. The request is in it.</p>}
      </Notice>
      {rows.length > 0 && <ComparedTable label="Invo’s answer" rows={rows} />}
      <FormButtons>
        <LinkButton kind="main" href={back}>
          Back to subscription
        </LinkButton>
        {next}
      </FormButtons>
    </div>
  );
}

type Unknown = Extract<ChangeState, { kind: 'unknown' }>;

/** A change whose outcome is unknown, and what a new reading shows. */
function UnknownNotice({ unknown, facts }: { unknown: Unknown; facts: ReadFacts | null }): ReactElement {
  const [readFor, setReadFor] = useState<Unknown | null>(null);
  // The page was read again after the answer was lost: where that reading shows the change, the page says so at once. That it doesn't show it
  // counts only in a reading that the person requested.
  const seen = facts === null ? null : verifyChange(unknown.requested, facts);
  const verdict = seen === 'there' || readFor === unknown ? seen : null;
  const actions = (
    <>
      <RefreshButton word="Refresh subscription" onRefresh={() => setReadFor(unknown)} />
      <Reference errorId={unknown.errorId} />
    </>
  );
  if (verdict !== null)
    return (
      <Notice voice={verdict === 'there' ? 'good' : 'wait'} title={VERDICT_TEXT[verdict].title} actions={actions}>
        {VERDICT_TEXT[verdict].sentence}
      </Notice>
    );
  return (
    <Notice voice="wait" title="We couldn’t confirm whether the change was made" actions={actions}>
      {unknown.sentence}
      {!unknown.isRecorded && ' This couldn’t be written to the audit log.'}
    </Notice>
  );
}

/** Escape leads back to the subscription, unless a dialog, a menu or a focused text field uses it. */
function EscapeBack({ href }: { href: string }): null {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Captured before a dialog closes itself, so that one press never does two things.
      if (event.key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
      if (document.activeElement?.matches('input[type="text"], textarea')) return;
      router.push(href);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [router, href]);
  return null;
}

export type ChangeAction = (before: ChangeState, form: FormData) => Promise<ChangeState>;

/** The state of a form and its confirmation, which closes when the action returns. */
export function useChange(action: ChangeAction): Change {
  const [state, submit] = useFormResult(action);
  const [openedAt, setOpenedAt] = useState<ChangeState | null>(null);
  return { state, submit, isOpen: openedAt === state, setOpen: (isOpen) => setOpenedAt(isOpen ? state : null) };
}
