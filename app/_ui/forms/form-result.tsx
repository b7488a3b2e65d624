'use client';

import { unstable_rethrow } from 'next/navigation';
import { type ReactElement, useActionState } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import styles from './forms.module.css';

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

const IDLE = { kind: 'idle' } as const;

/** What every form says when Sharebook's own response was lost. */
const LOST_SENTENCE = 'We couldn’t confirm whether this was saved. Reload the page and check before you try again.';

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
