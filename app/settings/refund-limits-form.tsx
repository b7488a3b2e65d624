'use client';

import { type ReactElement } from 'react';
import type { LimitedRole } from '#lib/refunds/rules/limits.ts';
import { IDLE, LOST } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Form } from '../_ui/forms/form.tsx';
import { FormButtons } from '../_ui/forms/form-buttons.tsx';
import { TextField } from '../_ui/forms/text-field.tsx';
import { useAnswer } from '../_ui/forms/use-answer.ts';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { changeLimitsAction } from './limits/actions.ts';
import styles from './settings.module.css';

export interface RefundLimitsFormProps {
  game: { slug: string; name: string };
  limits: { role: LimitedRole; label: string; limit_usd: string }[];
}

/** What each role may refund alone in one game. */
export function RefundLimitsForm({ game, limits }: RefundLimitsFormProps): ReactElement {
  const [state, send] = useAnswer(changeLimitsAction, IDLE, LOST);
  const faults: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <div className={styles.limits}>
      <Form action={send} about={{ game: game.slug }}>
        {limits.map(({ role, label, limit_usd }) => (
          <TextField
            key={role}
            name={role}
            label={`${label} alone, up to, USD`}
            autoComplete="off"
            defaultValue={limit_usd}
            lengthMax={20}
            fault={faults[role]}
          />
        ))}
        <FormButtons>
          <SubmitButton kind="plain" pendingWord="Changing…">
            {`Change the limits of ${game.name}`}
          </SubmitButton>
        </FormButtons>
        {state.kind !== 'invalid' && <FormAnswer state={state} />}
      </Form>
    </div>
  );
}
