import type { ReactElement, ReactNode } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import type { EntryFacts, EntryKind, Typed } from './entry-text.ts';

export interface EntryFieldsProps extends EntryFacts {
  entry: EntryKind;
  typed: Typed;
  errors: Readonly<Record<string, string>>;
  onType: (name: string, text: string) => void;
}

interface LineProps extends Pick<EntryFieldsProps, 'typed' | 'errors' | 'onType'> {
  name: string;
  label: string;
  hint: ReactNode & string;
  isAmount?: boolean;
  type?: 'text' | 'tel' | 'datetime-local';
}

/** One line of the form of a desk action. */
export function Line({ name, label, hint, typed, errors, onType, isAmount = false, type = 'text' }: LineProps): ReactElement {
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
