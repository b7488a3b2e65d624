'use client';

import { type ReactElement, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { Choices, Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup, Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { cancelAction } from '../_change/actions.ts';
import styles from '../_change/change.module.css';
import { ChangeFrame, useChange } from '../_change/change-frame.tsx';
import { type ChangeFormProps, errorAt, type FormTarget, type SubscriptionLabels } from '../_change/change-state.ts';
import { ConfirmDialog } from '../_change/confirm-dialog.tsx';

/** One way to cancel: its effect with dates, and the label of its button. */
interface CancelChoice {
  when: 'period_end' | 'now';
  effect: string;
  word: string;
  /** It would change nothing. */
  isMoot: boolean;
}

export interface OpenCancel {
  target: FormTarget;
  labels: SubscriptionLabels;
  choices: CancelChoice[];
  isStore: boolean;
}

const NAMES = { period_end: 'At the end of the paid period', now: 'Now' };

/** Cancels a subscription: the choice with its effect, the confirmation, the receipt. */
export function CancelTool({ back, facts, closed, open }: ChangeFormProps<OpenCancel>): ReactElement {
  const change = useChange(cancelAction);
  const [chosen, setChosen] = useState<CancelChoice['when']>('period_end');
  const [reason, setReason] = useState('');
  const choice = open?.choices.find(({ when, isMoot }) => when === chosen && !isMoot) ?? open?.choices.find(({ isMoot }) => !isMoot);
  return (
    <ChangeFrame state={change.state} closed={closed} facts={facts} back={back} next={<LinkButton href={back}>Refund a period</LinkButton>}>
      {open !== null && choice !== undefined && (
        <Card title="Cancel subscription">
          <Form onContinue={() => change.setOpen(true)}>
            <FieldGroup legend="When should it end?">
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
            <ReasonField value={reason} onChange={setReason} error={errorAt('reason', change.state)} />
            {open.isStore && (
              <p className={styles.text}>
                The game store agreement ends with the subscription. If the store doesn’t answer, Invo keeps trying and won’t charge again.
              </p>
            )}
            <p className={styles.text}>Canceling doesn’t refund anything. To return money, refund a period.</p>
            <FormButtons>
              <Button kind="danger" type="submit">
                Cancel subscription…
              </Button>
            </FormButtons>
          </Form>
          <ConfirmDialog
            change={change}
            target={open.target}
            title={`Cancel ${open.labels.item} for ${open.labels.player}?`}
            lines={[
              { label: 'Subscription ID', value: open.labels.subscriptionId },
              { label: 'Price', value: open.labels.price },
              { label: 'When', value: NAMES[choice.when] },
              { label: 'Effect', value: choice.effect },
              { label: 'Reason', value: reason.trim() === '' ? 'none' : reason.trim() },
              { label: 'Refund', value: 'none' },
            ]}
            fields={{ when: choice.when, reason }}
            kind="danger"
            word={choice.word}
            pendingWord="Canceling…"
          />
        </Card>
      )}
    </ChangeFrame>
  );
}

/** Free text that Invo stores, with the number of characters used. */
function ReasonField({ value, onChange, error }: { value: string; onChange: (text: string) => void; error: string | null }): ReactElement {
  return (
    <Field
      label="Reason (optional)"
      hint="Sent to Invo and stored there. Don’t enter names, emails or card numbers."
      error={error}
      count={`${value.length} of ${REASON_LENGTH_MAX}`}
    >
      {(control) => (
        <textarea {...control} rows={3} maxLength={REASON_LENGTH_MAX} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
