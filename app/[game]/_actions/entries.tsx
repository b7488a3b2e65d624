import { type ReactElement, type ReactNode, useState } from 'react';
import { Checkbox, Field } from '#app/_ui/forms/field.tsx';
import { MILESTONE_EVENTS } from '#lib/actions/rules/kinds.ts';
import { formatActionAmount, MILESTONE_EVENT_TEXT } from '#lib/actions/text.ts';
import styles from './actions.module.css';
import { amountOfEntry, type EntryFacts, type EntryKind, type Typed } from './entry-text.ts';
import { SendFields } from './send-fields.tsx';

const TOKEN_HINT = 'Of a test card, from your card collector. It goes to Invo and is stored nowhere.';

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
