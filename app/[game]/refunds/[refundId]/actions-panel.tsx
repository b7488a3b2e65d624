import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Checkbox, Choices } from '#app/_ui/forms/field.tsx';
import { ActionForm, FieldGroup } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import type { OpenOutcome } from '#lib/refunds/reads/find-refund.ts';
import type { RefundSummary } from '#lib/refunds/reads/refund-preconditions.ts';
import { riskKey, riskOf } from '#lib/refunds/rules/estimate.ts';
import type { Refund } from '#lib/refunds/rules/refund.ts';
import { formatRisk, OUTCOME_TEXT, refundStatusText } from '#lib/refunds/text.ts';
import {
  approveAction,
  assignAction,
  confirmOutcomeAction,
  declineAction,
  dropOutcomeAction,
  readPeriodAction,
  recordOutcomeAction,
} from './actions.ts';
import type { AllowedActions } from './allowed-actions.ts';
import styles from './refund.module.css';

export interface ActionsPanelProps {
  slug: string;
  refund: Refund;
  actions: AllowedActions;
  /** The outcome one person recorded, waiting for a second one. */
  outcome: OpenOutcome | null;
  /** Refunds of the same period that were open when this one was requested, or shortly before. */
  besides: RefundSummary[];
}

/** What the person may do with the refund now, each action with what it is about; why not, where they may not. */
export function ActionsPanel({ slug, refund, actions, outcome, besides }: ActionsPanelProps): ReactElement {
  const { refundId, assignee, period_id } = refund;
  const about = { game: slug, refundId };
  return (
    <Card title="Actions">
      <div className={styles.actions}>
        {actions.why !== null && <p>{actions.why}</p>}
        <ApproveForm slug={slug} refund={refund} actions={actions} besides={besides} />
        <DeclineForm slug={slug} refund={refund} actions={actions} />
        {refund.state === 'attention' && <OutcomeForms slug={slug} refund={refund} actions={actions} outcome={outcome} />}
        {actions.startNew && (
          <div className={styles.startNew}>
            <p>This refund has ended. A new one gets a new idempotency key.</p>
            <LinkButton kind="main" href={`/${slug}/periods/${period_id}/refund`}>
              Start a new refund
            </LinkButton>
          </div>
        )}
        {actions.assign && (
          <ActionForm action={assignAction} about={about} label="Assign to me" pendingLabel="Assigning…">
            <p>Assigned to {assignee.name}.</p>
          </ActionForm>
        )}
        {isEmpty(actions) && <p>No action needed.</p>}
      </div>
    </Card>
  );
}

function isEmpty({ why, approve, decline, assign, propose, confirm, drop, startNew }: AllowedActions): boolean {
  return [why, approve, decline, drop].every((each) => each === null) && ![assign, propose, confirm, startNew].includes(true);
}

type FormProps = Omit<ActionsPanelProps, 'outcome' | 'besides'>;

function ApproveForm({ slug, refund, actions: { approve }, besides }: FormProps & Pick<ActionsPanelProps, 'besides'>): ReactElement | null {
  if (approve === null) return null;
  const amount = formatUsd(refund.amount_usd);
  const risk = riskOf(refund.facts.period, refund.estimate);
  return (
    <PasswordForm
      action={approveAction}
      about={{ game: slug, refundId: refund.refundId, contentDigest: refund.contentDigest }}
      label={approve === 'own' ? `Confirm and refund ${amount}` : `Approve refund of ${amount}`}
      pendingLabel="Approving…"
      kind="main"
    >
      <p>
        {approve === 'own'
          ? 'You requested this refund and it is within your auto-approval limit. Confirm the current details below.'
          : `${refund.requestedBy.name} requested this refund. You approve exactly the details below; if any of them change before it is sent, the approval is void.`}
      </p>
      {besides.map((other) => (
        <p key={other.refundId}>
          <Link href={`/${slug}/refunds/${other.refundId}`}>Refund {other.refundId}</Link> of this period, {formatUsd(other.amount_usd)},{' '}
          {refundStatusText(other).label.toLowerCase()}, was open when this one was requested or in the 24 hours before. Check that both are
          meant.
        </p>
      ))}
      {risk !== null && (
        <Checkbox name="confirmedRisk" value={riskKey(risk) ?? ''} isRequired isWarning>
          {formatRisk(risk).join(' ')}
        </Checkbox>
      )}
    </PasswordForm>
  );
}

function DeclineForm({ slug, refund, actions: { decline } }: FormProps): ReactElement | null {
  if (decline === null) return null;
  const isRejected = decline === 'reject';
  return (
    <ActionForm
      action={declineAction}
      about={{ game: slug, refundId: refund.refundId }}
      label={`${isRejected ? 'Reject' : 'Withdraw'} refund of ${formatUsd(refund.amount_usd)}`}
      pendingLabel={isRejected ? 'Rejecting…' : 'Withdrawing…'}
      kind="danger"
      note={{ label: isRejected ? 'Reason' : 'Reason (optional)', lengthMax: WHY_LENGTH_MAX, isRequired: isRejected }}
    />
  );
}

const OUTCOMES = [
  { decision: 'landed', note: 'The period at Invo shows this refund. It ends as Refunded, and its reversal is expected.' },
  {
    decision: 'not_landed',
    note: 'A reading at least 30 minutes after the last attempt shows no refund. The period can be refunded again.',
  },
  {
    decision: 'send_again',
    note: 'Same request, same idempotency key. Allowed within a day of the first attempt, or at any time when it refunds all that remained.',
  },
] as const;

const CONFIRM_LABELS: Record<OpenOutcome['decision'], (amount: string) => string> = {
  landed: (amount) => `Confirm: ${amount} was refunded`,
  not_landed: (amount) => `Confirm: ${amount} was not refunded`,
  send_again: (amount) => `Confirm: retry the refund of ${amount}`,
};

/** The outcome of a refund that can't be determined automatically: one person records it, a second one confirms or rejects it. */
function OutcomeForms({ slug, refund, actions, outcome }: FormProps & Pick<ActionsPanelProps, 'outcome'>): ReactElement {
  const { refundId, proposal } = refund;
  const about = { game: slug, refundId };
  return (
    <>
      {(actions.propose || actions.confirm) && (
        <ActionForm action={readPeriodAction} about={about} label="Read the period now" pendingLabel="Reading from Invo…">
          <p>The outcome is based on the newest reading of the period. Readings appear in the timeline.</p>
        </ActionForm>
      )}
      {actions.propose && (
        <ActionForm
          action={recordOutcomeAction}
          about={about}
          label="Record outcome"
          pendingLabel="Recording…"
          kind="main"
          note={{ label: 'What you checked and what you found', lengthMax: OUTCOME_LENGTH_MAX, isRequired: true }}
        >
          <FieldGroup legend={`Outcome of the refund of ${formatUsd(refund.amount_usd)}`}>
            <Choices
              name="decision"
              choices={OUTCOMES.map(({ decision, note }) => ({
                value: decision,
                label: (
                  <>
                    {OUTCOME_TEXT[decision]} {decision === proposal && <strong>(suggested by the reading)</strong>}
                  </>
                ),
                note,
              }))}
              chosen={proposal}
              isRequired
            />
          </FieldGroup>
        </ActionForm>
      )}
      {outcome !== null && (
        <div className={styles.outcome}>
          <p>
            <strong>{OUTCOME_TEXT[outcome.decision]}</strong>, recorded by {outcome.by.name} on <Instant at={outcome.at} />: “
            {showControls(outcome.text)}”
          </p>
          {actions.confirm && (
            <PasswordForm
              action={confirmOutcomeAction}
              about={{ ...about, decisionNo: outcome.decision_no }}
              label={CONFIRM_LABELS[outcome.decision](formatUsd(refund.amount_usd))}
              pendingLabel="Confirming…"
              kind="main"
            />
          )}
          {actions.drop !== null && (
            <ActionForm
              action={dropOutcomeAction}
              about={{ ...about, decisionNo: outcome.decision_no }}
              label={actions.drop === 'own' ? 'Discard my outcome' : 'Reject this outcome'}
              pendingLabel={actions.drop === 'own' ? 'Discarding…' : 'Rejecting…'}
            />
          )}
        </div>
      )}
    </>
  );
}
