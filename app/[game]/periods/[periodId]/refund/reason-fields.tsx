import { type ReactElement, useId } from 'react';
import { REASON_LENGTH_MAX } from '../../../../../lib/domain/people-words.ts';
import { parseRefundReason, REFUND_REASONS } from '../../../../../lib/domain/refund/refund-reasons.ts';
import type { RefundFormState } from './form-state.ts';
import styles from './refund-form.module.css';
import type { DraftInHand } from './use-draft.ts';

/** Why it is given back: one of the reasons we count, and words of one's own that Invo keeps. */
export function ReasonFields({ hand, isAsked, answer }: { hand: DraftInHand; isAsked: boolean; answer: RefundFormState }): ReactElement {
  const id = useId();
  const { draft, change } = hand;
  const isMissing = isAsked && draft.reason === '';
  const isTooLong = draft.words.trim().length > REASON_LENGTH_MAX;
  const fault = isTooLong || (answer.kind === 'refused' && answer.at === 'reason');
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Why</legend>
      <div className={styles.field}>
        <label htmlFor={`${id}-reason`} className={styles.label}>
          Reason
        </label>
        <select
          id={`${id}-reason`}
          name="reason"
          className={styles.input}
          value={draft.reason}
          onChange={(event) => change({ reason: parseRefundReason(event.target.value) ?? '' })}
          aria-invalid={isMissing}
          aria-describedby={isMissing ? `${id}-missing` : undefined}
        >
          <option value="">Choose a reason</option>
          {Object.entries(REFUND_REASONS).map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
        {isMissing && (
          <p id={`${id}-missing`} className={styles.fault} role="alert">
            Choose a reason.
          </p>
        )}
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-words`} className={styles.label}>
          In your words, if there is more to say
        </label>
        <textarea
          id={`${id}-words`}
          name="words"
          rows={3}
          className={styles.input}
          value={draft.words}
          onChange={(event) => change({ words: event.target.value })}
          aria-invalid={fault}
          aria-describedby={`${id}-hint`}
        />
        <p id={`${id}-hint`} className={fault ? styles.fault : styles.hint}>
          {draft.words.trim().length} of {REASON_LENGTH_MAX} characters. Invo keeps this text: no names, e-mails or other personal data.
        </p>
      </div>
    </fieldset>
  );
}
