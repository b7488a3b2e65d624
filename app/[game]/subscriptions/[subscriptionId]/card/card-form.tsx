'use client';

import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Checkbox, Choices } from '#app/_ui/forms/field.tsx';
import { FieldError, FieldGroup, Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { cardAction } from '../_change/actions.ts';
import styles from '../_change/change.module.css';
import { ChangeFrame, useChange } from '../_change/change-frame.tsx';
import { type Change, type ChangeFormProps, errorAt, type FormTarget, type SubscriptionLabels } from '../_change/change-state.ts';
import { ConfirmDialog } from '../_change/confirm-dialog.tsx';

export interface OpenCard {
  target: FormTarget;
  labels: SubscriptionLabels;
  /** Newest first. */
  cards: { id: number; name: string }[];
  isWalletOnly: boolean;
  effect: string;
}

/** Changes the card of a subscription: the saved cards, the confirmation, the receipt. */
export function CardTool({ back, facts, closed, open }: ChangeFormProps<OpenCard>): ReactElement {
  const change = useChange(cardAction);
  return (
    <ChangeFrame state={change.state} closed={closed} facts={facts} back={back}>
      {open !== null && <CardForm change={change} open={open} />}
    </ChangeFrame>
  );
}

function CardForm({ change, open }: { change: Change; open: OpenCard }): ReactElement {
  const { cards, isWalletOnly, labels, effect } = open;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isSure, setSure] = useState(false);
  const card = cards.find(({ id }) => String(id) === chosen);
  return (
    <Card title="New card">
      <Form onContinue={() => change.setOpen(true)}>
        <FieldGroup legend={`Saved cards of ${labels.player}, newest first`}>
          <Choices
            kind="main"
            name="card"
            choices={cards.map(({ id, name }) => ({ value: String(id), label: name }))}
            chosen={chosen}
            onChoose={setChosen}
            isRequired
          />
        </FieldGroup>
        <FieldError>{errorAt('card', change.state)}</FieldError>
        {!isWalletOnly && (
          <p className={styles.text}>Invo doesn’t report which card is attached. Choosing the same card again changes nothing.</p>
        )}
        {isWalletOnly && (
          <Checkbox isChecked={isSure} onCheck={setSure} isRequired>
            Charge this card from now on. The subscription is no longer wallet-only.
          </Checkbox>
        )}
        <FieldError>{errorAt('conversion', change.state)}</FieldError>
        <p className={styles.preview}>{effect}</p>
        <FormButtons>
          <Button kind="main" type="submit">
            Change card…
          </Button>
        </FormButtons>
      </Form>
      {card !== undefined && (
        <ConfirmDialog
          change={change}
          target={open.target}
          title={`Change the card of ${labels.item} for ${labels.player}?`}
          lines={[
            { label: 'Subscription ID', value: labels.subscriptionId },
            { label: 'Price', value: labels.price },
            { label: 'Card', value: card.name },
            ...(isWalletOnly ? [{ label: 'Wallet', value: 'No longer wallet-only. The card is charged from now on.' }] : []),
            { label: 'Effect', value: effect },
          ]}
          fields={{ cardId: String(card.id), ...(isSure ? { isConversionConfirmed: 'yes' } : {}) }}
          word={`Use ${card.name.split(',')[0]}`}
          pendingWord="Changing…"
        />
      )}
    </Card>
  );
}
