import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';

interface PriceFieldProps {
  text: string;
  onChange: (text: string) => void;
  fault: string | null;
}

/** Where a new price is typed. */
export function PriceField({ text, onChange, fault }: PriceFieldProps): ReactElement {
  return (
    <Field label="New price, USD" hint="Above zero, in whole cents, such as 12.50." fault={fault} isAmount>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={40}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
