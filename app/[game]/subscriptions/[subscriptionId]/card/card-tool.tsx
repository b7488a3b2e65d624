'use client';

import { type ReactElement, useId, useState } from 'react';
import type { ReadFacts } from '../../../../../lib/domain/subscription/judge-subscription-reading.ts';
import { Button } from '../../../../_ui/controls/button.tsx';
import { Card } from '../../../../_ui/layout/card.tsx';
import styles from '../_change/change.module.css';
import { ChangeFrame } from '../_change/change-frame.tsx';
import type { ClosedView, FormTarget, ToldSubscription } from '../_change/change-state.ts';
import { ConfirmChange } from '../_change/confirm-change.tsx';
import { FieldFault } from '../_change/field-fault.tsx';
import { type Change, useChange } from '../_change/use-change.ts';
import { cardAction } from './actions.ts';

export interface OpenCard {
  target: FormTarget;
  told: ToldSubscription;
  /** Newest first. */
  cards: { id: number; name: string }[];
  isWalletOnly: boolean;
  effect: string;
}

interface CardToolProps {
  back: string;
  facts: ReadFacts | null;
  closed: ClosedView | null;
  open: OpenCard | null;
}

/** Changes the card that pays: the player's saved cards, the confirmation, the receipt. */
export function CardTool({ back, facts, closed, open }: CardToolProps): ReactElement {
  const change = useChange(cardAction);
  return (
    <ChangeFrame state={change.state} closed={closed} facts={facts} back={back}>
      {open !== null && <CardForm change={change} open={open} />}
    </ChangeFrame>
  );
}

function CardForm({ change, open }: { change: Change; open: OpenCard }): ReactElement {
  const { cards, isWalletOnly, told, effect } = open;
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSure, setSure] = useState(false);
  const id = useId();
  const card = cards.find((each) => each.id === chosen);
  return (
    <Card title="The card that pays">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.setOpen(true);
        }}
      >
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>Saved cards of {told.player}, newest first</legend>
          {cards.map((each) => (
            <label key={each.id} className={styles.choice} htmlFor={`${id}-${each.id}`}>
              <input
                id={`${id}-${each.id}`}
                type="radio"
                name={`${id}-card`}
                required
                checked={chosen === each.id}
                onChange={() => setChosen(each.id)}
              />
              <span className={styles.choiceName}>{each.name}</span>
            </label>
          ))}
        </fieldset>
        <FieldFault state={change.state} at="card" />
        {!isWalletOnly && (
          <p className={styles.words}>Invo never shows which card is attached now; choosing that one again changes nothing.</p>
        )}
        {isWalletOnly && (
          <label className={styles.tick} htmlFor={`${id}-sure`}>
            <input id={`${id}-sure`} type="checkbox" required checked={isSure} onChange={(event) => setSure(event.target.checked)} />
            Charge this card from now on: the subscription is no longer wallet-only.
          </label>
        )}
        <FieldFault state={change.state} at="conversion" />
        <p className={styles.preview}>{effect}</p>
        <div className={styles.buttons}>
          <Button kind="main" type="submit">
            Change the card…
          </Button>
        </div>
      </form>
      {card !== undefined && (
        <ConfirmChange
          change={change}
          target={open.target}
          title={`Change the card of ${told.item} of ${told.player}?`}
          lines={[
            { label: 'Subscription', value: told.subscriptionId },
            { label: 'Price', value: told.price },
            { label: 'Card', value: card.name },
            ...(isWalletOnly ? [{ label: 'Wallet', value: 'No longer wallet-only: the card is charged from now on.' }] : []),
            { label: 'Effect', value: effect },
          ]}
          fields={{ cardId: String(card.id), ...(isSure ? { isConversionConfirmed: 'yes' } : {}) }}
          word={`Use ${card.name.split(',')[0]}`}
          pendingWord="Setting the card…"
        />
      )}
    </Card>
  );
}
