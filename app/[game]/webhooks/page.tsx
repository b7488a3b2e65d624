import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatAge, formatCount } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { findGameConfig } from '#lib/config.ts';
import { findIntakeStatus, type IntakeStatus } from '#lib/webhooks/reads/intake-status.ts';
import { DELIVERY_STATES, isSilent, rotationOf } from '#lib/webhooks/rules/delivery.ts';
import { DELIVERY_STATE_TEXT, GAP_SENTENCE, REFUSAL_LABELS, SLOT_LABELS, webhookAddress } from '#lib/webhooks/text.ts';
import type { SearchParams } from '../_rows/define-list.ts';
import { checkSetUpAction } from './actions.ts';
import { deliveriesList } from './delivery-table.ts';
import styles from './webhooks.module.css';

interface WebhooksPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage({ params, searchParams }: WebhooksPageProps): Promise<ReactElement> {
  const person = await requirePerson('deliveries.read');
  const game = await requireGame((await params).game);
  const configured = findGameConfig(config(), game.slug);
  const hasSecret = configured?.webhookSecret !== undefined;
  const address = webhookAddress(config().origin, game.slug);
  const status = await findIntakeStatus(db(), game.gameId);
  const source = { game, attentionCount: status.attentionCount, mayExport: person.may('files.export') };
  const { spec, first } = await deliveriesList.loadFirst(source, searchParams);
  const isEmpty = first.page.total?.count === 0 && first.view.find === '' && first.view.chip === 'all';
  const check = person.may('deliveries.settle') && <CheckSetUp slug={game.slug} address={address} hasSecret={hasSecret} />;
  return (
    <>
      <PageHead title="Webhooks" beside={<IntakeState status={status} hasSecret={hasSecret} />} actions={check}>
        <LastDelivery status={status} />
      </PageHead>
      <RefreshWhile isBusy={(status.today.received ?? 0) > 0} />
      {!hasSecret && (
        <Notice voice="bad" title="No signing secret is configured">
          Sharebook answers every delivery with 503, and Invo retries it. Set {secretName(config().games.length)} to the signing secret that
          Invo’s console shows when the webhook is created, and restart Sharebook.
        </Notice>
      )}
      <PreviousSecret status={status} hasPrevious={configured?.webhookSecretPrevious !== undefined} />
      <Gaps status={status} />
      {isEmpty ? (
        <Register address={address} hasSecret={hasSecret} variable={secretName(config().games.length)} />
      ) : (
        <>
          <DataTable key={`${status.last?.receivedAt} ${status.attentionCount}`} spec={spec} first={first} />
          <TableNote>Attempts count how often Invo sent this event, replays included. No figure is taken from a webhook.</TableNote>
          <Refused status={status} />
        </>
      )}
    </>
  );
}

function secretName(games: number): string {
  return games > 1 ? 'webhookSecret of this game' : 'INVO_WEBHOOK_SECRET';
}

function IntakeState({ status, hasSecret }: { status: IntakeStatus; hasSecret: boolean }): ReactElement {
  if (!hasSecret) return <Status tone="bad" word="Not receiving" />;
  if (status.last === null) return <Status tone="quiet" word="Nothing received yet" />;
  return isSilent(status.last.receivedAt, status.now) ? (
    <Status tone="wait" word="Nothing received recently" />
  ) : (
    <Status tone="good" word="Receiving" />
  );
}

/** When the last delivery arrived, and what arrived today. */
function LastDelivery({ status: { last, now, today, gaps } }: { status: IntakeStatus }): ReactElement {
  if (last === null) return <>Invo sends a webhook when a purchase, refund, subscription or transfer changes.</>;
  const counts = DELIVERY_STATES.flatMap((state) => {
    const count = today[state] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${DELIVERY_STATE_TEXT[state].label.toLowerCase()}`];
  });
  return (
    <>
      Last delivery {formatAge(last.receivedAt, now)}, verified with the {SLOT_LABELS[last.slot]}
      {last.version !== null && ` (version ${last.version} at Invo)`}. Today: {counts.length === 0 ? 'none' : counts.join(', ')}.
      {gaps.length === 0 && ' No gaps in the last 30 days.'}
    </>
  );
}

const ROTATION_TITLES: Record<ReturnType<typeof rotationOf>, string> = {
  unseen: 'A previous signing secret is configured',
  going_on: 'The signing secret is being rotated',
  over: 'Remove the previous signing secret',
};

const ROTATION_STEPS: Record<ReturnType<typeof rotationOf>, string> = {
  unseen: 'Remove it from the configuration 7 days after the rotation began.',
  going_on: 'Deliveries signed with either secret are accepted.',
  over: 'Rotation takes 7 days: remove it from the configuration.',
};

/** What to do about the previous secret: a rotation is over when it hasn't verified anything for a week. */
function PreviousSecret({ status, hasPrevious }: { status: IntakeStatus; hasPrevious: boolean }): ReactElement | null {
  if (!hasPrevious) return null;
  const { previousUsedAt, now } = status;
  const rotation = rotationOf(previousUsedAt, now);
  return (
    <Notice voice="note" title={ROTATION_TITLES[rotation]}>
      {previousUsedAt === null
        ? 'No delivery used the previous secret in the last 30 days.'
        : `The previous secret last verified a delivery ${formatAge(previousUsedAt, now)}.`}{' '}
      {ROTATION_STEPS[rotation]}
    </Notice>
  );
}

const GAPS_SHOWN = 3;

function Gaps({ status: { gaps } }: { status: IntakeStatus }): ReactElement | null {
  if (gaps.length === 0) return null;
  return (
    <Notice voice="wait" title={`${countNoun(gaps.length, 'gap')} longer than Invo retries`}>
      <ul className={styles.gaps}>
        {gaps.slice(0, GAPS_SHOWN).map(({ from, to }) => (
          <li key={from}>
            No delivery from <Instant at={from} precision="second" /> to <Instant at={to} precision="second" />.
          </li>
        ))}
      </ul>
      {GAP_SENTENCE}
    </Notice>
  );
}

function Refused({ status: { refused, now } }: { status: IntakeStatus }): ReactElement | null {
  if (refused.length === 0) return null;
  return (
    <TableNote>
      Rejected requests in the last 24 hours (not stored):{' '}
      {refused
        .map(({ reason, count, lastAt }) => `${formatCount(count)} ${REFUSAL_LABELS[reason]} (last ${formatAge(lastAt, now)})`)
        .join('; ')}
      .
    </TableNote>
  );
}

function CheckSetUp({ slug, address, hasSecret }: { slug: string; address: string; hasSecret: boolean }): ReactElement {
  return (
    <SideDialog opener="Check the set-up" title="Check the set-up">
      <ActionForm action={checkSetUpAction} about={{ game: slug }} label="Send test delivery" pendingLabel="Sending…" kind="main">
        <p>
          Sharebook signs a delivery of its own and posts it to <code className={styles.address}>{address}</code>, as Invo would. It is kept
          as a test and changes nothing.
        </p>
        {!hasSecret && <p>No signing secret is configured, so the check will fail.</p>}
      </ActionForm>
    </SideDialog>
  );
}

/** Before the first delivery: what to register in Invo's console. */
function Register({ address, hasSecret, variable }: { address: string; hasSecret: boolean; variable: string }): ReactElement {
  return (
    <EmptyState title="Nothing received yet">
      <ol className={styles.steps}>
        <li>
          In Invo’s console, create a webhook with this address: <CopyButton text={address} what="address" />
        </li>
        <li>
          Subscribe it to all events: <code>*</code>. Sharebook keeps types it doesn’t know.
        </li>
        <li>
          Set <code>{variable}</code> to the signing secret the console shows once, and restart Sharebook.{' '}
          {hasSecret ? 'A signing secret is configured.' : 'None is configured.'}
        </li>
        <li>
          Press “Check the set-up”. Deliveries are verified by the header <code>X-Service-Signature</code>. A proxy must pass it on and
          leave the body as it is.
        </li>
      </ol>
    </EmptyState>
  );
}
