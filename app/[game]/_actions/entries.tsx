import { lazy, type ReactElement, Suspense } from 'react';
import { Checkbox } from '#app/_ui/forms/field.tsx';
import { formatActionAmount } from '#lib/actions/text.ts';
import styles from './actions.module.css';
import { type EntryFieldsProps, Line } from './entry-line.tsx';
import { amountOfEntry, PHONE_HINT } from './entry-text.ts';

/** Each form has one of them at most, so each loads its own. */
const EventFields = lazy(async () => ({ default: (await import('./event-fields.tsx')).EventFields }));
const MilestoneFields = lazy(async () => ({ default: (await import('./event-fields.tsx')).MilestoneFields }));
const SendFields = lazy(async () => ({ default: (await import('./send-fields.tsx')).SendFields }));

const TOKEN_HINT = 'Of a test card, from your card collector. It goes to Invo and is stored nowhere.';

/** The fields of a kind. */
export function EntryFields(props: EntryFieldsProps): ReactElement {
  const { entry, typed, coins } = props;
  switch (entry) {
    case 'amount':
      return <Line {...props} name="amount" label="Amount (USD)" hint="At most $999.99. The player pays exactly this." isAmount />;
    case 'purchase':
      return (
        <>
          <Line {...props} name="amount" label="Amount (USD)" hint="At most $999.99." isAmount />
          <Line {...props} name="entered" label="Card token" hint={TOKEN_HINT} />
          <Checkbox name="saveCard" isChecked={typed['saveCard'] === 'yes'} onCheck={(is) => props.onType('saveCard', is ? 'yes' : '')}>
            Save the card too
          </Checkbox>
        </>
      );
    case 'send':
    case 'transfer':
      return (
        <>
          <Suspense>
            <SendFields {...props} houses={entry === 'send' ? props.houses : null} playerId={Number(props.about['playerId'])} />
          </Suspense>
          <Line {...props} name="amount" label={`Amount (${coins ?? 'coins'})`} hint="With at most two decimals." isAmount />
        </>
      );
    case 'claim_code':
    case 'claim_phone':
      return (
        <>
          <Line
            {...props}
            name="entered"
            label="Claim code"
            hint="The code that the sender was shown. It goes to Invo and is stored nowhere."
          />
          {entry === 'claim_phone' && (
            <>
              <Line {...props} name="phone" type="tel" label="Player’s phone" hint={PHONE_HINT} />
              <Line {...props} name="phoneAgain" type="tel" label="Player’s phone again" hint="Its last two digits are stored." />
            </>
          )}
        </>
      );
    case 'card':
      return <Line {...props} name="entered" label="Card token (optional)" hint={TOKEN_HINT} />;
    case 'set_up':
      return (
        <Line
          {...props}
          name="setUp"
          label="Card set-up ID"
          hint="As your game logged it, such as seti_1PqA2b. A card number is never one."
        />
      );
    case 'item': {
      const total = amountOfEntry(entry, typed);
      return (
        <>
          <Line {...props} name="itemName" label="Item" hint="The name that the player sees." />
          <Line {...props} name="itemId" label="Item ID" hint="As your game knows it." />
          <Line {...props} name="quantity" label="Quantity" hint="A whole number." isAmount />
          <Line {...props} name="unitPrice" label={`Unit price (${coins ?? 'coins'})`} hint="With at most two decimals." isAmount />
          <p className={styles.sentence} aria-live="polite">
            {total === null ? 'The total is quantity times unit price.' : `Total: ${formatActionAmount('coins', total, coins)}`}
          </p>
        </>
      );
    }
    case 'event':
      return (
        <Suspense>
          <EventFields {...props} />
        </Suspense>
      );
    case 'milestone':
      return (
        <Suspense>
          <MilestoneFields {...props} />
        </Suspense>
      );
  }
}
