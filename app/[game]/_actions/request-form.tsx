'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type FormEvent, lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup, FormButtons, HiddenFields, type HiddenValues, useFormResult } from '#app/_ui/forms/form.tsx';
import { REASON_CODES, type ReasonCode } from '#lib/actions/rules/action-state.ts';
import type { ActionUnit } from '#lib/actions/rules/kinds.ts';
import { PRIVATE_TEXT, REASON_TEXT } from '#lib/actions/text.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import styles from './actions.module.css';
import { requestActionAction } from './actions.ts';
import { EntryFields } from './entries.tsx';
import {
  closedBy,
  type EntryKind,
  findEntryErrors,
  findReasonErrors,
  formatRequestedEntry,
  type HouseChoice,
  type MilestoneChoice,
  type Typed,
} from './entry-text.ts';
import { OneTimeBox } from './one-time-box.tsx';
import type { ActionFormState } from './request-state.ts';

/** Loaded after the form: nothing is confirmed or refused before something is typed. */
const RequestNotice = lazy(async () => ({ default: (await import('./request-notice.tsx')).RequestNotice }));
const Confirmation = lazy(async () => ({ default: (await import('./confirmation.tsx')).Confirmation }));

export interface RequestFormProps {
  slug: string;
  /** What is sent along: kind, target, draft and the digest of what is shown. */
  about: HiddenValues;
  /** What the person types; null: nothing. */
  entry: EntryKind | null;
  /** What a milestone is chosen from. */
  milestones: readonly MilestoneChoice[];
  /** What coins are sent from. */
  houses: readonly HouseChoice[];
  /** What the player’s coins are called; null: not reported, or of several currencies. */
  coins: string | null;
  /** What is pressed, without the amount: “Make a payment link”. */
  press: string;
  /** For whom, as the end of the button: “for Asa Venn”. */
  whom: string;
  /** Their name. */
  player: string;
  pending: string;
  /** What will happen, in sentences. */
  consequences: string[];
  needsTicket: boolean;
  /** Up to which amount no second person is needed, and what 24 hours leave of it, in `unit`; null: no amount needs one. */
  limits: { one: string; dayLeft: string } | null;
  /** Why nothing can be requested for a while; null: it can. */
  closed: string | null;
  unit: ActionUnit | null;
  /** A second person approves it whatever the amount. */
  needsApproval: boolean;
  /** After an approval Sharebook sends it by itself, else the requester does. */
  isSentByWorker: boolean;
  /** It waits for a phone before it is sent. */
  waitsForPhone: boolean;
  /** The reason chosen at first. */
  reason: ReasonCode;
}

/** The form of a desk action in two steps: what is typed and why, then the confirmation that restates it. */
export function RequestForm(props: RequestFormProps): ReactElement {
  const { slug, about, entry, needsTicket } = props;
  const [result, send] = useFormResult(requestActionAction);
  // The confirmation belongs to the result it was opened on: whatever the next result is, it closes.
  const [confirming, setConfirming] = useState<ActionFormState | null>(null);
  const isConfirming = confirming === result;
  const [typed, setTyped] = useState<Typed>({});
  const [submitCount, setSubmitCount] = useState(0);
  // What goes to Invo and nowhere else doesn't stay in the page; the number of a phone is sent with the next step too.
  const [seen, setSeen] = useState(result);
  if (seen !== result) {
    setSeen(result);
    // What was emptied isn't wrong before it is submitted.
    setSubmitCount(0);
    if (entry !== 'send' && entry !== 'transfer') setTyped(({ entered: _, phone: __, phoneAgain: ___, ...rest }) => rest);
  }
  const closed = props.closed ?? closedBy(props.houses, typed);
  const onType = (name: string, text: string): void => setTyped((before) => ({ ...before, [name]: text }));
  const findErrors = (): Record<string, string> => ({
    ...findEntryErrors(entry, typed, new Date().toISOString()),
    ...findReasonErrors(typed, needsTicket),
  });
  const errors = { ...refusedEntries(result), ...(submitCount > 0 ? findErrors() : {}) };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (isConfirming) return;
    event.preventDefault();
    if (closed !== null) return;
    setSubmitCount(submitCount + 1);
    if (Object.keys(findErrors()).length === 0) setConfirming(result);
  };
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  // A form that is refused leads to what must change, or to why.
  useEffect(() => {
    if (submitCount > 0) findInvalid(form.current)?.focus();
  }, [submitCount]);
  useEffect(() => {
    if (result.kind !== 'idle') (findInvalid(form.current) ?? notice.current)?.focus();
    // The figures beside the form are older than what Invo reports now.
    if ('isStale' in result) router.refresh();
  }, [result, router]);
  if (result.kind === 'passed')
    return (
      <div className={styles.form}>
        <OneTimeBox passed={result.passed} />
        <FormButtons>
          <LinkButton href={`/${slug}/actions/${result.actionId}`}>View action {result.actionId}</LinkButton>
        </FormButtons>
      </div>
    );
  return (
    <form ref={form} action={send} onSubmit={submit} onReset={(event) => event.preventDefault()} className={styles.form} noValidate>
      <HiddenFields about={about} />
      <div role="alert" ref={notice} tabIndex={-1}>
        {result.kind !== 'idle' && (
          <Suspense>
            <RequestNotice slug={slug} result={result} entry={entry} />
          </Suspense>
        )}
      </div>
      <div hidden={isConfirming} className={styles.stack}>
        {entry !== null && <EntryFields {...props} entry={entry} typed={typed} onType={onType} errors={errors} />}
        <ReasonFields {...props} typed={typed} onType={onType} errors={errors} />
        <Consequences sentences={props.consequences} />
        {closed === null ? (
          <FormButtons>
            <Button kind="main" type="submit">
              {labelOf(props, typed)}…
            </Button>
          </FormButtons>
        ) : (
          <p className={styles.sentence} role="status">
            {closed}
          </p>
        )}
      </div>
      {isConfirming && (
        <Suspense>
          <Confirmation
            {...props}
            label={labelOf(props, typed)}
            typed={typed}
            isAlike={result.kind === 'alike'}
            goBack={() => setConfirming(null)}
          />
        </Suspense>
      )}
    </form>
  );
}

function findInvalid(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
}

/** What is pressed, with what was typed: “Make a payment link of $20.00 for Asa Venn”. */
function labelOf({ press, whom, entry, ...facts }: RequestFormProps, typed: Typed): string {
  return [press, formatRequestedEntry(entry, typed, facts), whom].filter((part) => part !== null).join(' ');
}

/** Where the server refused an entry, by the name of its field. */
function refusedEntries(result: ActionFormState): Record<string, string> {
  if (result.kind !== 'refused' || result.at === undefined) return {};
  return { [result.at === 'set_up' ? 'setUp' : result.at]: result.sentence };
}

type ReasonProps = Pick<RequestFormProps, 'reason' | 'needsTicket'> &
  Pick<ComponentProps<typeof EntryFields>, 'typed' | 'onType' | 'errors'>;

/** Why it is done: a reason, words of their own and the ticket. They stay in Sharebook: Invo takes none of them. */
function ReasonFields({ reason, needsTicket, typed, onType, errors }: ReasonProps): ReactElement {
  return (
    <FieldGroup legend="Why it is needed">
      <Field label="Reason">
        {(control) => (
          <select {...control} name="reason" defaultValue={reason}>
            {REASON_CODES.map((code) => (
              <option key={code} value={code}>
                {REASON_TEXT[code]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={needsTicket ? 'Ticket' : 'Ticket (optional)'}
        hint="The reference of the player’s request, such as T-1042."
        error={errors['ticket']}
      >
        {(control) => (
          <input
            {...control}
            name="ticket"
            autoComplete="off"
            maxLength={100}
            value={typed['ticket'] ?? ''}
            onChange={(event) => onType('ticket', event.target.value)}
          />
        )}
      </Field>
      <Field label="Description (optional)" hint={`Stays in Sharebook. ${PRIVATE_TEXT}`} error={errors['description']}>
        {(control) => (
          <textarea
            {...control}
            name="description"
            rows={2}
            maxLength={REASON_LENGTH_MAX}
            value={typed['description'] ?? ''}
            onChange={(event) => onType('description', event.target.value)}
          />
        )}
      </Field>
    </FieldGroup>
  );
}

function Consequences({ sentences }: { sentences: string[] }): ReactElement {
  return (
    <section className={styles.will}>
      <h2>What will happen</h2>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
