import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';

interface ReasonFieldProps {
  value: string;
  onChange: (text: string) => void;
  fault: string | null;
}

/** Free words for Invo's record, with how many are left. */
export function ReasonField({ value, onChange, fault }: ReasonFieldProps): ReactElement {
  return (
    <Field
      label="Reason, if you like"
      hint="Invo keeps it and sends it on. No names, addresses or card numbers."
      fault={fault}
      count={`${value.length} of ${REASON_LENGTH_MAX}`}
    >
      {(control) => (
        <textarea {...control} rows={3} maxLength={REASON_LENGTH_MAX} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
