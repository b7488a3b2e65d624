'use client';

import { type ReactElement, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { Choices } from '#app/_ui/forms/choices.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup } from '#app/_ui/forms/field-group.tsx';
import { Form } from '#app/_ui/forms/form.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import type { ReadFacts } from '#lib/subscriptions/rules/change-verdict.ts';
import { cancelAction } from '../_change/actions.ts';
import styles from '../_change/change.module.css';
import { ChangeFrame } from '../_change/change-frame.tsx';
import { type ClosedView, errorAt, type FormTarget, type SubscriptionLabels } from '../_change/change-state.ts';
import { ConfirmChange, useChange } from '../_change/confirm-change.tsx';

/** One way to end it, what that does in dates, and the word for its button. */
export interface CancelChoice {
  when: 'period_end' | 'now';
  effect: string;
  word: string;
  /** It is so already. */
  isMoot: boolean;
}

interface OpenCancel {
  target: FormTarget;
  told: SubscriptionLabels;
  choices: CancelChoice[];
  isStore: boolean;
}

export interface CancelToolProps {
  back: string;
  facts: ReadFacts | null;
  closed: ClosedView | null;
  /** What the form shows; null where nothing could be read. */
  open: OpenCancel | null;
}

const NAMES = { period_end: 'At the end of what is paid', now: 'Now' };

/** Cancels a subscription: the choice with its effect in dates, the confirmation, the receipt. */
export function CancelTool({ back, facts, closed, open }: CancelToolProps): ReactElement {
  const change = useChange(cancelAction);
  const [chosen, setChosen] = useState<CancelChoice['when']>('period_end');
  const [reason, setReason] = useState('');
  const choice = open?.choices.find(({ when, isMoot }) => when === chosen && !isMoot) ?? open?.choices.find(({ isMoot }) => !isMoot);
  return (
    <ChangeFrame
      state={change.state}
      closed={closed}
      facts={facts}
      back={back}
      next={<LinkButton href={back}>Refund a period separately</LinkButton>}
    >
      {open !== null && choice !== undefined && (
        <Card title="How it shall end">
          <Form onGoOn={() => change.setOpen(true)}>
            <FieldGroup legend="When shall it end?">
              <Choices
                kind="main"
                name="when"
                choices={open.choices.map(({ when, effect, isMoot }) => ({
                  value: when,
                  label: NAMES[when],
                  note: effect,
                  isDisabled: isMoot,
                }))}
                chosen={choice.when}
                onChoose={setChosen}
              />
            </FieldGroup>
            <ReasonField value={reason} onChange={setReason} fault={errorAt('reason', change.state)} />
            {open.isStore && (
              <p className={styles.words}>
                The agreement with the store ends with it. Where the store does not answer at once, Invo tries again by itself and never
                charges again.
              </p>
            )}
            <p className={styles.words}>A cancel is not a refund: to give money back, refund a period separately.</p>
            <FormButtons>
              <Button kind="danger" type="submit">
                Cancel this subscription…
              </Button>
            </FormButtons>
          </Form>
          <ConfirmChange
            change={change}
            target={open.target}
            title={`Cancel ${open.told.item} of ${open.told.player}?`}
            lines={[
              { label: 'Subscription', value: open.told.subscriptionId },
              { label: 'Price', value: open.told.price },
              { label: 'When', value: NAMES[choice.when] },
              { label: 'Effect', value: choice.effect },
              { label: 'Reason', value: reason.trim() === '' ? 'none given' : reason.trim() },
              { label: 'Money', value: 'Nothing is refunded by this.' },
            ]}
            fields={{ when: choice.when, reason }}
            kind="danger"
            word={choice.word}
            pendingWord="Cancelling…"
          />
        </Card>
      )}
    </ChangeFrame>
  );
}

interface ReasonFieldProps {
  value: string;
  onChange: (text: string) => void;
  fault: string | null;
}

/** Free words for Invo's record, with how many are left. */
export function ReasonField({ value, onChange, fault }: ReasonFieldProps): ReactElement {
  return (
    <Field
      label="Reason, if you like"
      hint="Invo keeps it and sends it on. No names, addresses or card numbers."
      fault={fault}
      count={`${value.length} of ${REASON_LENGTH_MAX}`}
    >
      {(control) => (
        <textarea {...control} rows={3} maxLength={REASON_LENGTH_MAX} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
