import type { ReactElement } from 'react';
import { Field } from './field.tsx';

export interface TextFieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  hint?: string;
  fault?: string | undefined;
  defaultValue?: string;
  isFixed?: boolean;
  lengthMax?: number;
}

/** One line that has to be filled in. */
export function TextField({ label, hint, fault, isFixed = false, lengthMax, type = 'text', ...line }: TextFieldProps): ReactElement {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(control) => <input {...control} {...line} type={type} readOnly={isFixed} required maxLength={lengthMax} />}
    </Field>
  );
}
