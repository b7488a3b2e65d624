'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup, FormButtons, HiddenFields, type HiddenValues, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { REASON_CODES, type ReasonCode } from '#lib/actions/rules/action-state.ts';
import type { ActionUnit } from '#lib/actions/rules/kinds.ts';
import { formatActionAmount, REASON_TEXT } from '#lib/actions/text.ts';
import { compareMoney } from '#lib/core/money.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import styles from './actions.module.css';
import { requestActionAction } from './actions.ts';
import { EntryFields } from './entries.tsx';
import {
  amountOfEntry,
  type EntryKind,
  findEntryErrors,
  findReasonErrors,
  formatEntry,
  type HouseChoice,
  listEntryFacts,
  type MilestoneChoice,
  type Typed,
} from './entry-text.ts';
import { OneTimeBox } from './one-time-box.tsx';
import { RequestNotice } from './request-notice.tsx';
import type { ActionFormState } from './request-state.ts';

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
  /** Up to which amount no second person is needed, in `unit`; null: no amount needs one. */
  limit: string | null;
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
    if (entry !== 'send' && entry !== 'transfer') setTyped(({ entered: _, ...rest }) => rest);
  }
  const onType = (name: string, text: string): void => setTyped((before) => ({ ...before, [name]: text }));
  const findErrors = (): Record<string, string> => ({
    ...findEntryErrors(entry, typed, new Date().toISOString()),
    ...findReasonErrors(typed, needsTicket),
  });
  const errors = { ...refusedEntries(result), ...(submitCount > 0 ? findErrors() : {}) };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (isConfirming) return;
    event.preventDefault();
    setSubmitCount(submitCount + 1);
    if (Object.keys(findErrors()).length === 0) setConfirming(result);
  };
  const router = useRouter();
  // What was refused for what Invo reports now: the figures beside the form are older.
  useEffect(() => {
    if (result.kind === 'refused' && result.at === undefined) router.refresh();
  }, [result, router]);
  const form = useRef<HTMLFormElement>(null);
  // A form that is refused leads to what must change.
  useEffect(() => {
    if (submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
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
      <RequestNotice slug={slug} result={result} />
      <div hidden={isConfirming} className={styles.stack}>
        {entry !== null && <EntryFields {...props} entry={entry} typed={typed} onType={onType} errors={errors} />}
        <ReasonFields {...props} typed={typed} onType={onType} errors={errors} />
        <Consequences sentences={props.consequences} />
        <FormButtons>
          <Button kind="main" type="submit">
            {labelOf(props, typed)}…
          </Button>
        </FormButtons>
      </div>
      {isConfirming && <Confirmation {...props} typed={typed} isAlike={result.kind === 'alike'} goBack={() => setConfirming(null)} />}
    </form>
  );
}

function labelOf({ press, whom, entry, ...facts }: RequestFormProps, typed: Typed): string {
  return [press, formatEntry(entry, typed, facts), whom].filter((part) => part !== null).join(' ');
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
      <Field
        label="Description (optional)"
        hint="Stays in Sharebook. Leave out emails, phone and card numbers."
        error={errors['description']}
      >
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

interface ConfirmationProps extends RequestFormProps {
  typed: Typed;
  /** The form was refused because an earlier action requested the same. */
  isAlike: boolean;
  goBack: () => void;
}

/** Restates the action before the button that requests it. Escape goes back. */
function Confirmation(props: ConfirmationProps): ReactElement {
  const { consequences, entry, limit, unit, coins, isSentByWorker, typed, isAlike, pending, goBack } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const amount = amountOfEntry(entry, typed);
  const isAbove = amount !== null && limit !== null && compareMoney(amount, limit) > 0;
  const needsApproval = isAbove || props.needsApproval;
  const after = isSentByWorker ? 'Sharebook sends it then.' : 'You send it afterwards.';
  const label = labelOf(props, typed);
  const facts = listEntryFacts(entry, typed, props);
  return (
    <section className={styles.confirm} aria-label={label} onKeyDown={(event) => event.key === 'Escape' && goBack()}>
      <h2 ref={heading} tabIndex={-1}>
        {label}?
      </h2>
      {facts.length > 0 && <Facts columns={2} facts={facts} />}
      <p className={styles.sentence}>{consequences.join(' ')}</p>
      <p>
        {isAbove && unit !== null
          ? `It is above your limit of ${formatActionAmount(unit, limit, coins)}, so a second person must approve it. ${after}`
          : needsApproval
            ? `A second person must always approve this. ${after}`
            : props.waitsForPhone
              ? 'You send it once the phone approved.'
              : 'It is sent to Invo now.'}
      </p>
      {isAlike && <input type="hidden" name="confirmedAlike" value="yes" />}
      {isAlike && <Hint>You confirm that the same is wanted once more.</Hint>}
      <FormButtons>
        <SubmitButton pendingWord={pending}>{needsApproval ? `Request: ${label}` : isAlike ? `${label} once more` : label}</SubmitButton>
        <Button onPress={goBack}>Back</Button>
      </FormButtons>
    </section>
  );
}
