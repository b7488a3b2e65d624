import type { ReactElement } from 'react';
import { TextField } from './field.tsx';
import type { FormResult } from './form-result.tsx';

/** The fields for the password, and for a code where the person has a second factor, when the result requires them; what was entered before stays. */
export function PasswordField({ result }: { result: FormResult }): ReactElement | null {
  if (result.kind !== 'password') return null;
  return <ProofFields result={result} asksCode={result.asksCode ?? false} />;
}

/** The password, and a code where the person has a second factor; an error of either is shown beside it. */
export function ProofFields({ result, asksCode }: { result: FormResult; asksCode: boolean }): ReactElement {
  const requested = result.kind === 'password' ? result : null;
  const errorOf = (field: 'password' | 'code'): string | undefined => (requested?.wrong === field ? requested.sentence : undefined);
  const hint = requested !== null && !requested.wrong ? { hint: requested.sentence } : {};
  return (
    <>
      <TextField
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={errorOf('password')}
        {...hint}
      />
      {asksCode && <CodeField error={errorOf('code')} />}
    </>
  );
}

/** A code of a second factor. */
export function CodeField({ label = 'Code', error }: { label?: string; error: string | undefined }): ReactElement {
  return (
    <TextField
      name="code"
      label={label}
      autoComplete="one-time-code"
      hint="Six digits from your authenticator app, or a backup code."
      error={error}
      lengthMax={40}
    />
  );
}
