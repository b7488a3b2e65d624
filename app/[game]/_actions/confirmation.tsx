'use client';

import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { FormButtons, Hint, SubmitButton } from '#app/_ui/forms/form.tsx';
import type { ActionUnit } from '#lib/actions/rules/kinds.ts';
import { formatActionAmount, formatDayLimit } from '#lib/actions/text.ts';
import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import styles from './actions.module.css';
import { amountOfEntry, type EntryFacts, type EntryKind, listEntryFacts, type Typed } from './entry-text.ts';

interface ConfirmationProps extends EntryFacts {
  /** For whom it is. */
  player: string;
  /** What is pressed, with what was typed. */
  label: string;
  entry: EntryKind | null;
  typed: Typed;
  consequences: string[];
  /** Up to which amount no second person is needed, and what 24 hours leave of it, in `unit`; null: no amount needs one. */
  limits: { one: string; dayLeft: string } | null;
  unit: ActionUnit | null;
  needsApproval: boolean;
  isSentByWorker: boolean;
  waitsForPhone: boolean;
  pending: string;
  /** The form was refused because an earlier action requested the same. */
  isAlike: boolean;
  goBack: () => void;
}

/** Restates the action before the button that requests it. Escape goes back. */
export function Confirmation(props: ConfirmationProps): ReactElement {
  const { consequences, entry, limits, unit, coins, isSentByWorker, typed, isAlike, pending, goBack, label } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const amount = amountOfEntry(entry, typed);
  const isAbove = (limit: string | undefined): boolean => amount !== null && limit !== undefined && compareMoney(amount, limit) > 0;
  const [isAboveOne, isAboveDay] = [isAbove(limits?.one), isAbove(limits?.dayLeft)];
  const needsApproval = isAboveOne || isAboveDay || props.needsApproval;
  const after = isSentByWorker ? 'Sharebook sends it then.' : 'You send it afterwards.';
  const facts = listEntryFacts(entry, typed, props);
  return (
    <section className={styles.confirm} aria-label={label} onKeyDown={(event) => event.key === 'Escape' && goBack()}>
      <h2 ref={heading} tabIndex={-1}>
        {label}?
      </h2>
      {facts.length > 0 && <Facts columns={2} facts={facts} />}
      <ul>
        {consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        {isAboveOne && unit !== null && limits !== null && signOfMoney(limits.one) > 0
          ? `It is above your limit of ${formatActionAmount(unit, limits.one, coins)}, so a second person must approve it. ${after}`
          : isAboveDay && !isAboveOne && unit !== null && limits !== null
            ? `${formatDayLimit(unit, limits.dayLeft, coins)} ${after}`
            : needsApproval
              ? `A second person must approve it. ${after}`
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
