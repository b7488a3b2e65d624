import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import type { Person } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Choices } from '#app/_ui/forms/field.tsx';
import { ActionForm, FieldGroup } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import {
  approveActionAction,
  confirmActionOutcomeAction,
  declineActionAction,
  discardActionOutcomeAction,
  recordActionOutcomeAction,
  rereadActionAction,
} from '#app/[game]/_actions/actions.ts';
import type { ActionDetails } from '#lib/actions/reads/find-action.ts';
import { isDecidedAlone, limitedBy, protocolOf } from '#lib/actions/rules/protocols.ts';
import { formatDayLimit, OUTCOME_TEXT } from '#lib/actions/text.ts';
import { coinsOf } from '#lib/actions/title-text.ts';
import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { formatReading } from './history.tsx';

interface DecisionProps {
  slug: string;
  environment: 'production' | 'sandbox';
  timeZone: string;
  action: ActionDetails;
  person: Person;
  /** What it is: “Send of 25.00 Lumens”. */
  title: string;
}

/** What people decide about an action now: its approval, its withdrawal, or its outcome. Nothing when there is nothing to decide. */
export function DecisionPanel(props: DecisionProps): ReactElement | null {
  const { action } = props;
  // What was sent and executed nothing, such as a start whose phone belongs to another, can be withdrawn too.
  const isUnsent = action.state === 'awaiting_approval' || (action.state === 'approved' && action.unanswered_count === 0);
  if (action.state !== 'attention' && !isUnsent) return null;
  return (
    <Card title={action.state === 'attention' ? 'Outcome' : 'Decision'}>
      <div className={styles.stack}>{action.state === 'attention' ? <Outcome {...props} /> : <Approval {...props} />}</div>
    </Card>
  );
}

function Approval({ slug, action, person, title }: DecisionProps): ReactElement {
  const { actionId, contentDigest, requestedBy, state, kind, facts } = action;
  const { unit } = protocolOf(kind);
  const left = facts.day_limit_left;
  const isOwn = requestedBy.id === person.id;
  const mayApprove = !isOwn && person.may('actions.approve');
  const mayWithdraw = isOwn && person.may('actions.request');
  const lowered = `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`;
  return (
    <>
      {state === 'awaiting_approval' && left !== undefined && unit !== null && (
        <p>{formatDayLimit(unit, left, coinsOf(facts), isOwn ? 'Your' : `${requestedBy.name}’s`)}</p>
      )}
      {state === 'awaiting_approval' && left === undefined && limitedBy(kind) !== null && (
        <p>This is above {isOwn ? 'your limit' : `the limit of ${requestedBy.name}`} for one action.</p>
      )}
      {state === 'awaiting_approval' && !mayApprove && (
        <p>{isOwn ? 'You requested this, so another person must approve it.' : 'Someone with the role finance must approve it.'}</p>
      )}
      {state === 'awaiting_approval' && mayApprove && (
        <PasswordForm
          action={approveActionAction}
          about={{ game: slug, actionId, contentDigest }}
          label={`Approve: ${lowered}`}
          pendingLabel="Checking with Invo…"
          kind="main"
        >
          <p>
            {requestedBy.name} requested this. You approve exactly what this page shows; if any of it changes before it is sent, the
            approval is void. {protocolOf(kind).isForRequester && `Only ${requestedBy.name} sends it and sees what Invo answers.`}
          </p>
        </PasswordForm>
      )}
      {state === 'approved' && mayWithdraw && <p>Nothing was executed yet. You can withdraw it.</p>}
      {(mayApprove || mayWithdraw) && (state === 'awaiting_approval' || mayWithdraw) && (
        <div>
          <SideDialog opener={isOwn ? 'Withdraw…' : 'Reject…'} title={`${isOwn ? 'Withdraw' : 'Reject'}: ${lowered}`}>
            <ActionForm
              action={declineActionAction}
              about={{ game: slug, actionId }}
              label={isOwn ? 'Withdraw' : 'Reject'}
              pendingLabel={isOwn ? 'Withdrawing…' : 'Rejecting…'}
              kind="danger"
              note={{ label: isOwn ? 'Reason (optional)' : 'Reason', lengthMax: WHY_LENGTH_MAX, isRequired: !isOwn }}
            >
              <p>Nothing more is sent to Invo, and it ends here.</p>
            </ActionForm>
          </SideDialog>
        </div>
      )}
      {state === 'approved' && !mayWithdraw && (
        <p>
          {protocolOf(kind).repeats === 'worker'
            ? `${requestedBy.name} can withdraw it until Sharebook sends it.`
            : protocolOf(kind).isForRequester
              ? `${requestedBy.name} can send or withdraw it.`
              : `Everybody who may request it can send it, and ${requestedBy.name} can withdraw it.`}
        </p>
      )}
    </>
  );
}

function Outcome({ slug, environment, timeZone, action, person }: DecisionProps): ReactElement {
  const { actionId, kind, decisions } = action;
  const { reading } = protocolOf(kind);
  const newest = action.readings.at(-1);
  const open = decisions.find(({ confirmedAt, withdrawnAt }) => confirmedAt === null && withdrawnAt === null);
  if (!person.may('actions.request')) return <p>Support or finance must find out what happened and record it.</p>;
  return (
    <>
      {newest !== undefined && (
        <p>
          Newest reading, <Instant at={newest.at} timeZone={timeZone} precision="second" />:{' '}
          <strong>{formatReading(newest.reading, kind)}</strong>
        </p>
      )}
      {open !== undefined && (
        <>
          <p>
            {open.by.name} recorded: {OUTCOME_TEXT[open.decision]}. “{open.text}”
          </p>
          {person.may('actions.approve') && open.by.id !== person.id && (
            <PasswordForm
              action={confirmActionOutcomeAction}
              about={{ game: slug, actionId, decisionNo: open.decision_no }}
              label={`Confirm: ${OUTCOME_TEXT[open.decision]}`}
              pendingLabel="Confirming…"
              kind="main"
            />
          )}
          <ActionForm
            action={discardActionOutcomeAction}
            about={{ game: slug, actionId, decisionNo: open.decision_no }}
            label="Discard the recorded outcome"
            pendingLabel="Discarding…"
          />
        </>
      )}
      {reading !== null && (
        <ActionForm action={rereadActionAction} about={{ game: slug, actionId }} label="Read again from Invo" pendingLabel="Reading…" />
      )}
      {open === undefined && (
        <ActionForm
          action={recordActionOutcomeAction}
          about={{ game: slug, actionId }}
          label="Record the outcome"
          pendingLabel="Saving…"
          kind="main"
          note={{ label: 'Evidence for the outcome', lengthMax: OUTCOME_LENGTH_MAX, isRequired: true }}
        >
          {!isDecidedAlone(kind, environment) && <p>A second person must confirm what you record.</p>}
          <FieldGroup legend="What happened">
            <Choices
              name="decision"
              chosen={null}
              isRequired
              choices={[
                {
                  value: 'done',
                  label: OUTCOME_TEXT.done,
                  note: reading === null ? 'Invo’s support says so.' : 'The newest reading, or Invo’s support, says so.',
                },
                {
                  value: 'not_done',
                  label: OUTCOME_TEXT.not_done,
                  note:
                    reading === null
                      ? 'Invo’s support says that it didn’t happen.'
                      : 'A reading at least 30 minutes after the last call doesn’t show it.',
                },
              ]}
            />
          </FieldGroup>
        </ActionForm>
      )}
    </>
  );
}
