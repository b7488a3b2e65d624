'use client';

import Link from 'next/link';
import { type ReactElement, useState } from 'react';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Checkbox, Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, HiddenFields, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { formatUsd } from '#lib/core/money.ts';
import type { PaymentFormat, PaymentMethod } from '#lib/payments/rules/payment.ts';
import { FORMAT_TEXT, PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';
import { type BlockedMethod, createFilesAction } from './actions.ts';
import styles from './payments.module.css';

/** What waits for files of one method. */
export interface WaitingMethod {
  method: PaymentMethod;
  count: number;
  total_usd: string;
  /** The layouts to choose from; one or none: no choice. */
  formats: readonly PaymentFormat[];
  /** Its files name a day of payment. */
  isBank: boolean;
  /** The sender account in force, masked; null: none is confirmed. */
  sender: string | null;
  needsSender: boolean;
}

interface CreateFilesProps {
  game: string;
  runId: number;
  runNo: number;
  waiting: readonly WaitingMethod[];
  /** What the fields begin with. */
  note: string;
  executionDate: string;
  /** What a person confirms about files that a restore lost, see `idsOfLost`. */
  lostFiles: readonly string[];
}

/** Characters of the note. Formats with less room refuse longer ones. */
const NOTE_LENGTH_MAX = 400;
/** Methods whose files have no note. */
const WITHOUT_NOTE: readonly PaymentMethod[] = ['wise', 'ach'];

/** Creates the files of what waits, by method: all payments of a method or none. */
export function CreateFiles({ game, runId, runNo, waiting, note, executionDate, lostFiles }: CreateFilesProps): ReactElement {
  const [state, send] = useFormResult(createFilesAction);
  const [left, setLeft] = useState<readonly PaymentMethod[]>([]);
  const chosen = waiting.filter(({ method }) => !left.includes(method));
  const withoutNote = chosen.filter(({ method }) => WITHOUT_NOTE.includes(method)).map(({ method }) => PAYMENT_METHOD_TEXT[method]);
  const count = chosen.reduce((sum, each) => sum + each.count, 0);
  const toggle = (method: PaymentMethod, isChecked: boolean): void =>
    setLeft(isChecked ? left.filter((each) => each !== method) : [...left, method]);
  return (
    <Form action={send} about={{ game, runId }} isShort>
      <ul className={styles.methods}>
        {waiting.map((each) => {
          const { method, formats, total_usd } = each;
          return (
            <li key={method} className={styles.method}>
              <HiddenFields about={{ [`${method}.count`]: each.count, [`${method}.total`]: total_usd }} />
              <div>
                <Checkbox name={method} isChecked={!left.includes(method)} onCheck={(isChecked) => toggle(method, isChecked)}>
                  <strong>{PAYMENT_METHOD_TEXT[method]}</strong>
                </Checkbox>
              </div>
              <p>
                {countNoun(each.count, 'payment')}, <strong>{formatUsd(total_usd)}</strong>
              </p>
              <SenderOf game={game} waiting={each} />
              {formats.length > 1 && (
                <Field label="Format">
                  {(control) => (
                    <select {...control} name={`${method}.format`}>
                      {formats.map((format) => (
                        <option key={format} value={format}>
                          {FORMAT_TEXT[format]}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
            </li>
          );
        })}
      </ul>
      <div className={styles.fields}>
        {chosen.some(({ isBank }) => isBank) && (
          <Field label="Execution date" hint="The day on which your bank pays.">
            {(control) => <input {...control} name="executionDate" type="date" defaultValue={executionDate} required />}
          </Field>
        )}
        <Field
          label="Note to recipients"
          hint={`Shown with the payment reference.${withoutNote.length === 0 ? '' : ` ${withoutNote.join(' and ')} files have no note.`}`}
        >
          {(control) => <input {...control} name="note" defaultValue={note} maxLength={NOTE_LENGTH_MAX} autoComplete="off" />}
        </Field>
      </div>
      {lostFiles.length > 0 && (
        <Checkbox name="lostFiles" value={lostFiles.join()} isRequired isWarning>
          No lost file paid any of these payments.
        </Checkbox>
      )}
      <FormButtons>
        <SubmitButton pendingWord="Creating files…" isDisabled={count === 0}>
          Create files for {countNoun(count, 'payment')}
        </SubmitButton>
      </FormButtons>
      {state.kind === 'blocked' ? <Blocked game={game} runNo={runNo} {...state} /> : <FormStatus result={state} />}
    </Form>
  );
}

function SenderOf({ game, waiting: { method, needsSender, isBank, sender } }: { game: string; waiting: WaitingMethod }): ReactElement {
  if (!needsSender) return <p className={styles.sender}>Needs no sender account</p>;
  if (sender !== null) return <p className={styles.sender}>{isBank ? `From ${sender}` : sender}</p>;
  return (
    <p className={styles.sender}>
      <Link href={`/${game}/payouts/senders?method=${method}`}>Add a sender account</Link>
    </p>
  );
}

/** Why files weren't created, method by method, each reason with what resolves it. */
interface BlockedProps {
  game: string;
  runNo: number;
  sentence: string;
  methods: readonly BlockedMethod[];
}

function Blocked({ game, runNo, sentence, methods }: BlockedProps): ReactElement {
  return (
    <div role="alert" className={styles.blocked}>
      {sentence !== '' && <p>{sentence}</p>}
      {methods.map(({ method, sentences, moreCount }) => (
        <div key={method}>
          <p className={styles.blockedTitle}>{PAYMENT_METHOD_TEXT[method]}: no file was created.</p>
          <ul>
            {sentences.map(({ text, recipientId, reference, about }) => (
              <li key={text}>
                {text} {reference !== null && <Link href={`/${game}/payouts/${runNo}/payments/${reference}`}>Re-issue</Link>}{' '}
                {recipientId !== null && <Link href={`/${game}/payouts/payees/${recipientId}`}>Payment details</Link>}
                {about === 'report' && <Link href={`/${game}/payouts/reports`}>Bank reports</Link>}
                {about === 'sender' && <Link href={`/${game}/payouts/senders?method=${method}`}>Sender accounts</Link>}
              </li>
            ))}
            {moreCount > 0 && <li>And {countNoun(moreCount, 'more reason')}.</li>}
          </ul>
        </div>
      ))}
    </div>
  );
}
