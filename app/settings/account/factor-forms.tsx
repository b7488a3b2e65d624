'use client';

import type { ReactElement } from 'react';
import { renewBackupCodesAction, turnOffAction } from '#app/_account/actions.ts';
import { BackupCodes } from '#app/_account/factor-set-up.tsx';
import { Form, FormButtons, FormStatus, ProofFields, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import styles from '../settings.module.css';

interface FactorFormsProps {
  /** Why it can't be turned off; null: it can. */
  required: string | null;
  continueTo: { href: string; label: string };
}

/** What a person can do with their second factor: make new backup codes, and turn it off. */
export function FactorForms({ required, continueTo }: FactorFormsProps): ReactElement {
  return (
    <div className={styles.games}>
      <Card title="New backup codes">
        <RenewForm continueTo={continueTo} />
      </Card>
      <Card title="Turn off">{required === null ? <TurnOffForm /> : <p className={styles.text}>{required} You can’t turn it off.</p>}</Card>
    </div>
  );
}

function RenewForm({ continueTo }: Pick<FactorFormsProps, 'continueTo'>): ReactElement {
  const [state, renew] = useFormResult(renewBackupCodesAction);
  if (state.kind === 'codes') return <BackupCodes codes={state.codes} isFirst={false} continueTo={continueTo} />;
  return (
    <Form action={renew} isShort>
      <p className={styles.text}>This replaces all existing backup codes.</p>
      <ProofFields result={state} asksCode />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Creating…">
          Create new backup codes
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

function TurnOffForm(): ReactElement {
  const [state, turnOff] = useFormResult(turnOffAction);
  return (
    <Form action={turnOff} isShort isEmptied={state.kind === 'done'}>
      <p className={styles.text}>Signing in will need your password alone. Your backup codes are deleted.</p>
      <ProofFields result={state} asksCode />
      <FormButtons>
        <SubmitButton kind="danger" pendingWord="Turning off…">
          Turn off two-factor authentication
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
