'use client';

import { type ReactElement, useState } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { MILESTONE_EVENTS } from '#lib/actions/rules/kinds.ts';
import { MILESTONE_EVENT_TEXT } from '#lib/actions/text.ts';
import { type EntryFieldsProps, Line } from './entry-line.tsx';

/** An event of a client: any name, because it unlocks nothing of value. */
export function EventFields(props: EntryFieldsProps): ReactElement {
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

/** A milestone that an admin added. */
export function MilestoneFields(props: EntryFieldsProps): ReactElement {
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
