import { clsx } from 'clsx';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ActionDetails } from '#lib/actions/reads/find-action.ts';
import type { GrantState } from '#lib/actions/rules/action-state.ts';
import styles from './actions.module.css';

interface StripProps {
  action: Pick<ActionDetails, 'kind' | 'state' | 'waiting' | 'result'>;
  /** What the phone has answered; null: nothing was requested of it. */
  grant: GrantState | null;
  /** Whether an approval was sent that may have moved the coins. */
  isMoving: boolean;
}

/** How far a start or a collection has come, in the order of its steps. Nothing once it ended without effect. */
export function StartStrip(props: StripProps): ReactElement | null {
  const steps = stepsOf(props);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return steps.length === 0 ? null : (
    <ol className={styles.strip} aria-label="Steps">
      {steps.map(({ label, isDone }, index) => {
        const Icon = isDone ? CircleCheck : index === current ? CircleDot : Circle;
        return (
          <li
            key={label}
            className={clsx(isDone && styles.stepDone, index === current && styles.stepNow)}
            aria-current={index === current ? 'step' : undefined}
          >
            <Icon size={16} role="img" aria-label={isDone ? 'Done:' : index === current ? 'Now:' : 'Later:'} />
            {label}
          </li>
        );
      })}
    </ol>
  );
}

const SHOWN_IN = new Set(['approved', 'sending', 'checking', 'with_player', 'attention', 'done']);

function stepsOf({ action: { kind, state, waiting, result }, grant, isMoving }: StripProps): { label: string; isDone: boolean }[] {
  if (!SHOWN_IN.has(state)) return [];
  const isDone = state === 'done';
  const hasApproved = isDone || isMoving || grant === 'approved';
  if (kind === 'receipt')
    return [
      { label: 'Approve on the phone', isDone: hasApproved || state !== 'approved' },
      { label: 'Collect the transfer', isDone },
    ];
  const isReserved = isDone || isMoving || typeof result?.['transaction_id'] === 'string';
  return [
    ...(waiting.for === 'owner' ? [{ label: 'Ask the phone’s owner', isDone: false }] : []),
    { label: waiting.for === 'guardian' ? 'Start at Invo' : 'Reserve the coins', isDone: isReserved },
    ...(waiting.for === 'guardian' ? [{ label: 'Ask the guardian', isDone: false }] : []),
    { label: 'Approve on the phone', isDone: hasApproved },
    { label: 'Move the coins', isDone },
  ];
}
