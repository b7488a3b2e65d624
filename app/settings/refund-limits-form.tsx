'use client';

import { type ReactElement, useActionState } from 'react';
import type { LimitedRole } from '../../lib/domain/refund/refund-limits.ts';
import { IDLE } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { TextField } from '../sign-in/text-field.tsx';
import { changeLimitsAction } from './limits/actions.ts';
import styles from './settings.module.css';

export interface RefundLimitsFormProps {
  game: { slug: string; name: string };
  limits: { role: LimitedRole; label: string; limit_usd: string }[];
}

/** What each role may refund alone in one game. */
export function RefundLimitsForm({ game, limits }: RefundLimitsFormProps): ReactElement {
  const [state, send] = useActionState(changeLimitsAction, IDLE);
  const faults: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <form action={send} className={styles.limits} onReset={(event) => event.preventDefault()}>
      <input type="hidden" name="game" value={game.slug} />
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
      <div>
        <SubmitButton kind="plain" pendingWord="Changing…">
          {`Change the limits of ${game.name}`}
        </SubmitButton>
      </div>
      {state.kind !== 'invalid' && <FormAnswer state={state} />}
    </form>
  );
}
