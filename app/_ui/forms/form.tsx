'use client';

import { clsx } from 'clsx';
import { unstable_rethrow } from 'next/navigation';
import { type ReactElement, type ReactNode, useActionState, useSyncExternalStore } from 'react';
import { useFormStatus } from 'react-dom';
import { Button, type ButtonKind } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { Field, TextField } from './field.tsx';
import styles from './forms.module.css';

export interface ActionFormProps {
  action: (state: FormResult, form: FormData) => Promise<FormResult>;
  about: HiddenValues;
  /** Label of the button. */
  label: string;
  /** The button's accessible name, where a page has several of that label. */
  buttonLabel?: string;
  pendingLabel: string;
  kind?: ButtonKind;
  /** What it requests from the start, because its action needs a fresh password: see `PasswordForm`. */
  password?: PasswordRequest | null;
  /** A text to fill in, sent as `why`; left out: none. */
  note?: { label: string; lengthMax: number; isRequired?: boolean };
  children?: ReactNode;
}

/** One action: what it does, a text and the password if it needs them, the button that names it, and its result. */
export function ActionForm(props: ActionFormProps): ReactElement {
  const { action, about, label, buttonLabel, pendingLabel, kind = 'plain', password = null, note, children } = props;
  const [state, send] = useFormResult(action);
  return (
    <Form action={send} about={about} isShort>
      {children}
      {note && (
        <Field label={note.label}>
          {(control) => <textarea {...control} name="why" rows={2} maxLength={note.lengthMax} required={note.isRequired ?? false} />}
        </Field>
      )}
      <PasswordField result={state} request={password} />
      <FormButtons>
        <SubmitButton kind={kind} pendingWord={pendingLabel} {...(buttonLabel === undefined ? {} : { label: buttonLabel })}>
          {label}
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

export interface FormProps {
  /** Receives the entries. Without it nothing is sent, and `onContinue` opens the next step. */
  action?: (form: FormData) => void;
  onContinue?: () => void;
  /** Hidden values that are sent along. */
  about?: HiddenValues;
  /** Clears the entries after sending. By default they stay, so that a refused form isn't filled in twice. */
  isEmptied?: boolean;
  /** A short form for one action, with less space between its lines. */
  isShort?: boolean;
  children: ReactNode;
}

/** A form with its fields in one column. */
export function Form({ action, onContinue, about = {}, isEmptied = false, isShort = false, children }: FormProps): ReactElement {
  return (
    <form
      {...(action && { action })}
      className={clsx(styles.form, isShort && styles.short)}
      onReset={(event) => !isEmptied && event.preventDefault()}
      onSubmit={(event) => {
        if (onContinue === undefined) return;
        event.preventDefault();
        onContinue();
      }}
    >
      <HiddenFields about={about} />
      {children}
    </form>
  );
}

/** The buttons at the end of a form. */
export function FormButtons({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.buttons}>{children}</div>;
}

/** Fields that belong together, under a legend. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }): ReactElement {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** A hint that belongs to no single field. */
export function Hint({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles.hint}>{children}</p>;
}

/** An error that belongs to no single field, read out when it appears; null: none. */
export function FieldError({ children }: { children: string | null }): ReactElement {
  return (
    <p className={styles.error} role="alert">
      {children}
    </p>
  );
}

export type HiddenValues = Readonly<Record<string, string | number>>;

/** Hidden values of a form, by name. */
export function HiddenFields({ about }: { about: HiddenValues }): ReactElement {
  return (
    <>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

export interface SubmitButtonProps {
  kind?: ButtonKind;
  /** The label while the form is being sent. */
  pendingWord: string;
  isDisabled?: boolean;
  label?: string;
  children: ReactNode;
}

/** Submits its form once: it is disabled, and says so, until the result arrives. */
export function SubmitButton({ kind = 'main', pendingWord, isDisabled = false, label, children }: SubmitButtonProps): ReactElement {
  const { pending } = useFormStatus();
  return (
    <Button kind={kind} type="submit" isDisabled={pending || isDisabled} {...(label === undefined ? {} : { label })}>
      {pending ? pendingWord : children}
    </Button>
  );
}

/**
 * The result of every form action. `Field`: the fields beside which a refusal can stand. `Extra`: results that only this form has.
 */
export type FormResult<Field extends string = string, Extra extends { kind: string } = never> =
  | { kind: 'idle' }
  | { kind: 'done'; sentence: string /** A one-time link to hand over, shown once. */; link?: string }
  /** The rules say no. Without `at` it is shown beside the button. */
  | { kind: 'refused'; sentence: string; at?: Field; errorId?: string | null }
  | { kind: 'invalid'; fields: Partial<Record<Field, string>> }
  /** Invo couldn't be reached or failed; nothing was changed. */
  | { kind: 'failed'; sentence: string /** Invo's reference to quote. */; errorId?: string | null }
  /** The person must give their password again, and a code where they have a second factor; nothing was changed. */
  | { kind: 'password'; sentence: string; asksCode?: boolean; wrong?: 'password' | 'code' | null }
  /** Sharebook's own response was lost: the change may have been saved. */
  | { kind: 'lost' }
  | Extra;

/** The form requests the password, and a code where the person has a second factor, and everything else that was entered stays. */
export type PasswordRequest = Extract<FormResult<never>, { kind: 'password' }>;

const IDLE = { kind: 'idle' } as const;

/** What every form shows when Sharebook's own response was lost. */
export const LOST_SENTENCE = 'We couldn’t confirm whether this was saved. Reload the page and check before you try again.';

type Unsent = { kind: 'idle' } | { kind: 'lost' };

/**
 * The result of a form, the function that sends it, and whether it is being sent. When the response is lost (Sharebook restarts, the
 * network fails), what was typed stays in the form, and its result is `lost`.
 */
export function useFormResult<Result extends { kind: string }>(
  action: (before: Result | Unsent, form: FormData) => Promise<Result | Unsent>,
): [result: Result | Unsent, send: (form: FormData) => void, isPending: boolean] {
  return useActionState<Result | Unsent, FormData>(
    async (before, form) => {
      try {
        return await action(before, form);
      } catch (error) {
        // A redirect arrives as an error too.
        unstable_rethrow(error);
        // A new object each time, so that the same result again is noticed.
        return { kind: 'lost' };
      }
    },
    // A result is plain data, never a promise.
    IDLE as Awaited<Result | Unsent>,
  );
}

/**
 * Like `useFormResult`, for forms that also work without JavaScript and before it has loaded: the browser posts them, and the page comes back
 * with the result.
 */
export function usePostedForm<Result extends { kind: string }>(
  action: (before: Result | Unsent, form: FormData) => Promise<Result | Unsent>,
): [result: Result | Unsent, send: (form: FormData) => void, isPending: boolean] {
  const [posted, post] = useActionState<Result | Unsent, FormData>(action, IDLE as Awaited<Result | Unsent>);
  const [result, send, isPending] = useFormResult(action);
  const isInteractive = useIsInteractive();
  return [result.kind === 'idle' ? posted : result, isInteractive ? send : post, isPending];
}

/** Whether the browser's scripts run the page: false in its HTML and in the first drawing that takes it over, true in whatever is drawn later. */
export function useIsInteractive(): boolean {
  return useSyncExternalStore(neverChanges, isTrue, isFalse);
}

const neverChanges = () => () => {};
const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** The result of a form in a sentence beside its button, read out when it arrives. */
export function FormStatus({ result }: { result: FormResult }): ReactElement {
  return (
    <div className={result.kind === 'done' ? styles.statusDone : styles.statusError} role="status">
      {sentenceOf(result)}
      {'errorId' in result && result.errorId && <CopyButton text={result.errorId} what="reference" />}
    </div>
  );
}

function sentenceOf(result: FormResult): string {
  if (result.kind === 'idle' || result.kind === 'password') return '';
  if (result.kind === 'lost') return LOST_SENTENCE;
  return result.kind === 'invalid' ? Object.values(result.fields).join(' ') : result.sentence;
}

interface PasswordFieldProps {
  result: FormResult;
  /** What the form requests from the start; null or left out: only what its result requires. */
  request?: PasswordRequest | null;
}

/** The fields for the password, and for a code where the person has a second factor, when they are required; what was entered before stays. */
export function PasswordField({ result, request = null }: PasswordFieldProps): ReactElement | null {
  // After any other result, the action requests it again if it’s still needed.
  const requested = result.kind === 'idle' || result.kind === 'lost' ? request : result;
  return requested?.kind === 'password' ? <ProofFields result={requested} asksCode={requested.asksCode ?? false} /> : null;
}

/** The password, and a code where the person has a second factor; an error of either is shown beside it. */
export function ProofFields({ result, asksCode }: { result: FormResult; asksCode: boolean }): ReactElement {
  const requested = result.kind === 'password' ? result : null;
  const errorOf = (field: 'password' | 'code'): string | undefined => (requested?.wrong === field ? requested.sentence : undefined);
  const hint = requested !== null && !requested.wrong ? { hint: requested.sentence } : {};
  return (
    <>
      <TextField
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={errorOf('password')}
        {...hint}
      />
      {asksCode && <CodeField error={errorOf('code')} />}
    </>
  );
}

/** A code of a second factor. */
export function CodeField({ label = 'Code', error }: { label?: string; error: string | undefined }): ReactElement {
  return (
    <TextField
      name="code"
      label={label}
      autoComplete="one-time-code"
      hint="Six digits from your authenticator app, or a backup code."
      error={error}
      lengthMax={40}
    />
  );
}
