import { type ReactElement, type ReactNode, useState } from 'react';
import { Checkbox, Field } from '#app/_ui/forms/field.tsx';
import type { HiddenValues } from '#app/_ui/forms/form.tsx';
import { MILESTONE_EVENTS } from '#lib/actions/rules/kinds.ts';
import { formatActionAmount, MILESTONE_EVENT_TEXT } from '#lib/actions/text.ts';
import { multiplyMoney } from '#lib/core/money.ts';
import { parseTypedAmount } from '#lib/core/typed-input.ts';
import styles from './actions.module.css';
import { findSendErrors, type HouseChoice, SendFields, type Typed } from './send-fields.tsx';

/** What the person types in the form of a kind. */
export type EntryKind = 'send' | 'transfer' | 'amount' | 'set_up' | 'item' | 'milestone' | 'event' | 'purchase' | 'card' | 'claim_code';

/** A name that an admin added, as the form sends it and as people call it. */
export interface MilestoneChoice {
  value: string;
  label: string;
}

/** Invo takes a link below 1,000 USD. */
const LINK_MAX = '999.99';
const QUANTITY_MAX = 9_999;

/** The amount of what was typed, in the unit of its kind; null: none, or it isn't complete. */
export function amountOfEntry(entry: EntryKind | null, typed: Typed): string | null {
  if (entry === 'amount' || entry === 'purchase') return amountIn(typed['amount'], LINK_MAX);
  if (entry === 'send' || entry === 'transfer') return amountIn(typed['amount']);
  if (entry !== 'item') return null;
  const [price, quantity] = [amountIn(typed['unitPrice']), quantityIn(typed['quantity'])];
  return price === null || quantity === null ? null : multiplyMoney(price, quantity);
}

/** What a button says of what was typed: “of $20.00”, “3 × Sail dye for 37.50 Lumens”. */
export function formatEntry(entry: EntryKind | null, typed: Typed, { coins, milestones }: EntryFacts): string | null {
  const amount = amountOfEntry(entry, typed);
  switch (entry) {
    case 'amount':
    case 'purchase':
      return amount === null ? null : `of ${formatActionAmount('usd', amount)}`;
    case 'item':
      return amount === null ? null : `${typed['quantity']} × ${typed['itemName']} for ${formatActionAmount('coins', amount, coins)}`;
    case 'send':
    case 'transfer':
      return amount === null ? null : formatActionAmount('coins', amount, coins);
    case 'event':
      return formatEvent(typed['milestone'] ?? '');
    case 'milestone':
      return milestones.find(({ value }) => value === typed['milestone'])?.label ?? null;
    case 'set_up':
    case 'card':
    case 'claim_code':
    case null:
      return null;
  }
}

const TOKEN_HINT = 'Of a test card, from your card collector. It goes to Invo and is stored nowhere.';

interface EntryFacts {
  /** What the player's coins are called; null: not reported. */
  coins: string | null;
  milestones: readonly MilestoneChoice[];
  /** Of a send: the game and who receives, and the accounts that coins can be sent from. */
  slug: string;
  houses: readonly HouseChoice[];
  about: HiddenValues;
}

/** What is wrong with what was typed, by field. */
export function findEntryErrors(entry: EntryKind | null, typed: Typed): Record<string, string> {
  const isMissing = (name: string): boolean => (typed[name] ?? '').trim() === '';
  switch (entry) {
    case 'amount':
      return amountOfEntry(entry, typed) === null ? { amount: 'Enter an amount above zero and at most $999.99, in whole cents.' } : {};
    case 'purchase':
      return {
        ...(amountOfEntry(entry, typed) === null ? { amount: 'Enter an amount above zero and at most $999.99, in whole cents.' } : {}),
        ...(isMissing('entered') ? { entered: 'Enter the token of a test card.' } : {}),
      };
    case 'set_up':
      return isMissing('setUp') ? { setUp: 'Enter the ID of the card set-up.' } : {};
    case 'item':
      return {
        ...(isMissing('itemName') ? { itemName: 'Enter the name that the player sees.' } : {}),
        ...(isMissing('itemId') ? { itemId: 'Enter the ID of the item in your game.' } : {}),
        ...(quantityIn(typed['quantity']) === null ? { quantity: 'Enter a whole number from 1 to 9,999.' } : {}),
        ...(amountIn(typed['unitPrice']) === null ? { unitPrice: 'Enter a price above zero with at most two decimals.' } : {}),
      };
    case 'event':
    case 'milestone':
      return {
        ...(isMissing('milestone') ? { milestone: 'Choose a milestone.' } : {}),
        ...(isMissing('occurredAt') ? { occurredAt: 'Enter when it happened.' } : {}),
      };
    case 'send':
    case 'transfer':
      return {
        ...findSendErrors(typed, entry === 'transfer'),
        ...(amountOfEntry(entry, typed) === null ? { amount: 'Enter an amount above zero with at most two decimals.' } : {}),
      };
    case 'claim_code':
      return isMissing('entered') ? { entered: 'Enter the claim code.' } : {};
    case 'card':
    case null:
      return {};
  }
}

function amountIn(text = '', max_usd?: string): string | null {
  const read =
    max_usd === undefined ? parseTypedAmount(text, { known_usd: '0.00' }) : parseTypedAmount(text, { known_usd: '0.00', max_usd });
  return 'amount_usd' in read ? read.amount_usd : null;
}

function quantityIn(text = ''): number | null {
  const quantity = /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : null;
  return quantity !== null && quantity <= QUANTITY_MAX ? quantity : null;
}

interface EntryFieldsProps extends EntryFacts {
  entry: EntryKind;
  typed: Typed;
  errors: Readonly<Record<string, string>>;
  onType: (name: string, text: string) => void;
}

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
          <Checkbox name="saveCard">Save the card too</Checkbox>
        </>
      );
    case 'send':
    case 'transfer':
      return (
        <>
          <SendFields {...props} houses={entry === 'send' ? props.houses : null} playerId={Number(props.about['playerId'])} />
          <Line {...props} name="amount" label={`Amount (${coins ?? 'coins'})`} hint="With at most two decimals." isAmount />
        </>
      );
    case 'claim_code':
      return (
        <Line {...props} name="entered" label="Claim code" hint="As the sender was shown it. It goes to Invo and is stored nowhere." />
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
      return <EventFields {...props} />;
    case 'milestone':
      return <MilestoneFields {...props} />;
  }
}

/** An event as its button names it: “milestone boss_1”. */
function formatEvent(typed: string): string | null {
  const type = MILESTONE_EVENTS.find((each) => typed.startsWith(`${each} `));
  return type === undefined ? null : `${MILESTONE_EVENT_TEXT[type].toLowerCase()} ${typed.slice(type.length + 1)}`;
}

/** An event of a client: any name, because it unlocks nothing of value. */
function EventFields(props: EntryFieldsProps): ReactElement {
  const { typed, onType } = props;
  const [eventType, setEventType] = useState<string>(MILESTONE_EVENTS[0]);
  const [name, setName] = useState('');
  const enter = (type: string, text: string): void => onType('milestone', text.trim() === '' ? '' : `${type} ${text.trim()}`);
  return (
    <>
      <Field label="Event type">
        {(control) => (
          <select
            {...control}
            value={eventType}
            onChange={(event) => {
              setEventType(event.target.value);
              enter(event.target.value, name);
            }}
          >
            {MILESTONE_EVENTS.map((type) => (
              <option key={type} value={type}>
                {MILESTONE_EVENT_TEXT[type]} ({type})
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Name" hint="The milestone key or the event’s name." error={props.errors['milestone']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              enter(eventType, event.target.value);
            }}
          />
        )}
      </Field>
      <input type="hidden" name="milestone" value={typed['milestone'] ?? ''} />
      <Line {...props} name="value" label="Value (optional)" hint="Sent as a number if you enter one." />
      <Line {...props} name="occurredAt" label="When it happened (UTC)" hint="At most 30 days ago." type="datetime-local" />
    </>
  );
}

function MilestoneFields(props: EntryFieldsProps): ReactElement {
  const { milestones, typed, errors, onType } = props;
  return (
    <>
      <Field label="Milestone" hint="An admin adds names in Settings, as they are registered with Invo." error={errors['milestone']}>
        {(control) => (
          <select
            {...control}
            name="milestone"
            value={typed['milestone'] ?? ''}
            onChange={(event) => onType('milestone', event.target.value)}
          >
            <option value="">Choose…</option>
            {milestones.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Line {...props} name="value" label="Value (optional)" hint="Sent as a number if you enter one." />
      <Line {...props} name="occurredAt" label="When it happened (UTC)" hint="At most 30 days ago." type="datetime-local" />
    </>
  );
}

interface LineProps extends Pick<EntryFieldsProps, 'typed' | 'errors' | 'onType'> {
  name: string;
  label: string;
  hint: ReactNode & string;
  isAmount?: boolean;
  type?: 'text' | 'datetime-local';
}

function Line({ name, label, hint, typed, errors, onType, isAmount = false, type = 'text' }: LineProps): ReactElement {
  return (
    <Field label={label} hint={hint} error={errors[name]} isAmount={isAmount}>
      {(control) => (
        <input
          {...control}
          name={name}
          type={type}
          {...(isAmount ? { inputMode: 'decimal' } : {})}
          autoComplete="off"
          maxLength={isAmount ? 40 : 200}
          value={typed[name] ?? ''}
          onChange={(event) => onType(name, event.target.value)}
        />
      )}
    </Field>
  );
}
