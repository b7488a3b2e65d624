'use client';

import type { ReactElement } from 'react';
import { Button } from '../_ui/controls/button.tsx';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { QrCode } from '../_ui/figures/qr-code.tsx';
import { TextField } from '../_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, PasswordField, SubmitButton, useFormResult } from '../_ui/forms/form.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import styles from './account.module.css';
import { confirmSetUpAction, startSetUpAction } from './actions.ts';

/** Sets up two-factor authentication in three steps: the password, the first code of an app, the backup codes. */
export function FactorSetUp({ continueTo }: { continueTo: { href: string; label: string } }): ReactElement {
  const [started, start] = useFormResult(startSetUpAction);
  const [confirmed, confirm] = useFormResult(confirmSetUpAction);
  if (confirmed.kind === 'codes') return <BackupCodes codes={confirmed.codes} isFirst continueTo={continueTo} />;
  if (started.kind !== 'secret')
    return (
      <Form action={start} isShort>
        <p className={styles.text}>
          You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or 1Password.
        </p>
        <PasswordField result={started} />
        <FormButtons>
          <SubmitButton kind="main" pendingWord="Starting…">
            Set up two-factor authentication
          </SubmitButton>
        </FormButtons>
        <FormStatus result={started} />
      </Form>
    );
  const error = confirmed.kind === 'invalid' ? confirmed.fields.code : undefined;
  return (
    <Form action={confirm} isShort>
      <ol className={styles.steps}>
        <li>
          Scan this code with your authenticator app, or enter the key. Both are shown once.
          <QrCode rows={started.qr} label="QR code of the key" />
          <div className={styles.key}>
            <CopyButton text={started.secret.replaceAll(' ', '')} what="key">
              <code className={styles.secret}>{started.secret}</code>
            </CopyButton>
          </div>
          <details className={styles.more}>
            <summary>Open or copy it as a link</summary>
            <p className={styles.text}>On a phone, the link opens the app. Some apps and password managers accept it as text.</p>
            <a className={styles.uri} href={started.uri}>
              {started.uri}
            </a>
          </details>
        </li>
        <li>Enter the code that the app shows now.</li>
      </ol>
      <TextField
        name="code"
        label="Code"
        autoComplete="one-time-code"
        hint="Six digits. A new code appears every 30 seconds."
        error={error}
        lengthMax={20}
      />
      <FormButtons>
        <SubmitButton kind="main" pendingWord="Checking…">
          Turn on two-factor authentication
        </SubmitButton>
      </FormButtons>
      {confirmed.kind !== 'invalid' && <FormStatus result={confirmed} />}
    </Form>
  );
}

interface BackupCodesProps {
  codes: string[];
  /** They come with the set-up; otherwise they replace earlier ones. */
  isFirst: boolean;
  continueTo: { href: string; label: string };
}

/** The backup codes of a person, the only time they are shown. */
export function BackupCodes({ codes, isFirst, continueTo }: BackupCodesProps): ReactElement {
  return (
    <section className={styles.codes} aria-label="Backup codes">
      <Notice voice="good" title={isFirst ? 'Two-factor authentication is on' : 'New backup codes'}>
        {isFirst ? 'From now on, signing in needs a code from your app.' : 'Your earlier backup codes no longer work.'} Keep these backup
        codes where you can find them without your phone. Each one works once. They aren’t shown again.
      </Notice>
      <ul className={styles.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons} data-print="no">
        <CopyButton text={codes.join('\n')} what="backup codes">
          <span className={styles.text}>Ten codes</span>
        </CopyButton>
        <Button kind="plain" onPress={() => window.print()}>
          Print
        </Button>
        {/* A whole page load: the codes don't stay in this page. */}
        <Button kind="main" onPress={() => window.location.assign(continueTo.href)}>
          {continueTo.label}
        </Button>
      </div>
    </section>
  );
}
