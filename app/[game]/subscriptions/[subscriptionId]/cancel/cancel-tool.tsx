'use client';

import { type ReactElement, useId, useState } from 'react';
import type { ReadFacts } from '../../../../../lib/domain/subscription/judge-subscription-reading.ts';
import { Button, LinkButton } from '../../../../_ui/controls/button.tsx';
import { Card } from '../../../../_ui/layout/card.tsx';
import styles from '../_change/change.module.css';
import { ChangeFrame } from '../_change/change-frame.tsx';
import type { ClosedView, FormTarget, ToldSubscription } from '../_change/change-state.ts';
import { ConfirmChange } from '../_change/confirm-change.tsx';
import { FieldFault } from '../_change/field-fault.tsx';
import { useChange } from '../_change/use-change.ts';
import { cancelAction } from './actions.ts';
import { ReasonField } from './reason-field.tsx';

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
  told: ToldSubscription;
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
  const id = useId();
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
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              change.setOpen(true);
            }}
          >
            <fieldset className={styles.choices}>
              <legend className={styles.legend}>When shall it end?</legend>
              {open.choices.map(({ when, effect, isMoot }) => (
                <label key={when} className={styles.choice} htmlFor={`${id}-${when}`}>
                  <input
                    id={`${id}-${when}`}
                    type="radio"
                    name={`${id}-when`}
                    value={when}
                    checked={choice.when === when}
                    disabled={isMoot}
                    onChange={() => setChosen(when)}
                  />
                  <span>
                    <span className={styles.choiceName}>{NAMES[when]}</span>
                    <span className={styles.effect}>{effect}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <ReasonField value={reason} onChange={setReason} fault={change.state.kind === 'refused' && change.state.at === 'reason'} />
            <FieldFault state={change.state} at="reason" />
            {open.isStore && (
              <p className={styles.words}>
                The agreement with the store ends with it. Where the store does not answer at once, Invo tries again by itself and never
                charges again.
              </p>
            )}
            <p className={styles.words}>A cancel is not a refund: to give money back, refund a period separately.</p>
            <div className={styles.buttons}>
              <Button kind="danger" type="submit">
                Cancel this subscription…
              </Button>
            </div>
          </form>
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
