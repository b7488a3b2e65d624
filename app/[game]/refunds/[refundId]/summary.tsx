import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatItem, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatPeriodDates } from '#app/[game]/_refunds/effects.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { remainingOf, shareOf } from '#lib/refunds/rules/period.ts';
import { hasRisenBy } from '#lib/refunds/rules/reading.ts';
import { REFUND_REASONS, type Refund } from '#lib/refunds/rules/refund.ts';
import type { PeriodFacts } from '#lib/refunds/rules/stored.ts';
import { formatChanges, formatCharged, formatReportedUsd, refundStatusText } from '#lib/refunds/text.ts';
import type { RefundElsewhere } from '#lib/webhooks/reads/period-of-event.ts';
import styles from './refund.module.css';
import { formatProgress } from './text.ts';

/** Who requested the refund, who approved it, and who it is assigned to. */
export function People({ refund, timeZone }: { refund: Refund; timeZone: string }): ReactElement {
  const { requestedBy, requestedAt, approval, approvedBy, approvedAt, assignee } = refund;
  return (
    <>
      Requested by {requestedBy.name} on <Instant at={requestedAt} timeZone={timeZone} />.{' '}
      {approval === 'policy' && approvedAt !== null && 'Approved automatically. '}
      {approval === 'person' && approvedAt !== null && (
        <>
          Approved by {approvedBy?.name} on <Instant at={approvedAt} timeZone={timeZone} />.{' '}
        </>
      )}
      Assigned to {assignee.name}.
    </>
  );
}

export interface SummaryProps {
  game: Game;
  refund: Refund;
  /** Amounts Invo gave beside the last code. */
  lastFacts: Readonly<Record<string, unknown>>;
  /** The newest reading of its period; null: none. */
  newestPeriod: PeriodFacts | null;
  isPaused: boolean;
}

/** The state of the refund, what is safe now, and what happens next. */
export function Summary({ game, refund, lastFacts, newestPeriod, isPaused }: SummaryProps): ReactElement {
  const { state, amount_usd, facts, period_id, period_seq, lastErrorId, transaction_id, client_request_id } = refund;
  const playerId = facts.subscription?.player_id ?? null;
  const { label, tone, sentence } = refundStatusText(refund);
  return (
    <Card>
      <p role="status" className={clsx(styles.state, styles[tone])}>
        {label}
      </p>
      <Money amount={amount_usd} size="answer" />
      <p className={styles.what}>
        <bdi>{formatItem(facts.period.item_name)}</bdi>,{' '}
        <Link href={`/${game.slug}/periods/${period_id}`}>
          period {period_seq} ({period_id})
        </Link>
        , <Link href={`/${game.slug}/subscriptions/${refund.subscription_id}`}>{refund.subscription_id}</Link>
        {playerId !== null && (
          <>
            ,{' '}
            <Link href={`/${game.slug}/players/${playerId}`}>
              {refund.playerName === null ? `player ${playerId}` : showControls(refund.playerName)}
            </Link>
          </>
        )}
      </p>
      <p className={styles.safe}>{sentence}</p>
      {formatProgress({
        ...refund,
        lastFacts,
        isPaused,
        hasRisen: newestPeriod !== null && hasRisenBy(amount_usd, facts.period, newestPeriod),
      }).map((each) => (
        <p key={each}>{each}</p>
      ))}
      {(state === 'landed' || refund.reversal !== null) && <Reversal game={game} refund={refund} />}
      <dl className={styles.ids}>
        <Id label="Idempotency key (client_request_id)" id={client_request_id} what="idempotency key" />
        <Id label="Error reference (error_id)" id={lastErrorId} what="error ID" />
        <Id label="Transaction (transaction_id)" id={transaction_id} what="transaction ID" />
      </dl>
    </Card>
  );
}

function Id({ label, id, what }: { label: string; id: string | null; what: string }): ReactElement | null {
  if (id === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <CopyButton text={id} what={what} />
      </dd>
    </>
  );
}

/** Whether a pulled month has reported the expected reversal. Sharebook writes none: it is Invo's to report. */
function Reversal({ game, refund }: { game: Game; refund: Refund }): ReactElement {
  const { facts, receipt, estimate, reversal } = refund;
  const share = shareOf(facts.period);
  if (share === 'not_attributed') return <p>No recipient has a share in this period, so no reversal is expected.</p>;
  if (share === 'unknown' && reversal === null)
    return <p>Invo reports no attribution for this period, so it is unknown whether a reversal follows.</p>;
  if (reversal !== null) {
    const month = monthOf(reversal.windowStart, game.timeZone);
    return (
      <p>
        {refund.state === 'landed' ? 'The reversal' : 'A reversal like this refund’s'} is in{' '}
        <Link href={`/${game.slug}/months/${month}/reversals`}>{formatMonth(month)}</Link>, pulled on{' '}
        <Instant at={reversal.pulledAt} timeZone={game.timeZone} />.
      </p>
    );
  }
  const refundedAt = receipt?.refunded_at ?? null;
  const month = refundedAt === null ? estimate.reversal_month : monthOf(refundedAt, game.timeZone);
  return (
    <p>
      The reversal is expected in <Link href={`/${game.slug}/months/${month}`}>{formatMonth(month)}</Link>, with the next pull of that
      month.
    </p>
  );
}

/** The request and the facts it is based on; with the estimate it is everything an approval covers. */
export function RequestCard({ refund, canSeeEmails }: { refund: Refund; canSeeEmails: boolean }): ReactElement {
  const { facts, estimate, reason_code, reason_text, amount_usd } = refund;
  const { period } = facts;
  const reason = reason_text ?? REFUND_REASONS[reason_code];
  return (
    <Card title={`Request, based on Invo data read on ${formatUtc(facts.read_at, 'second')}`}>
      <Facts
        facts={[
          {
            label: 'Refund',
            value: formatUsd(amount_usd),
            note: estimate.is_full_refund ? 'Completes the period.' : 'Partial: paid in coins, nothing to the card.',
          },
          { label: 'Period', value: `Period ${refund.period_seq}`, note: formatPeriodDates(period) },
          { label: 'Price', value: formatReportedUsd(period.amount_usd), note: `Charged: ${formatCharged(period)}` },
          { label: 'Refunded before', value: formatUsd(period.refunded_to_date_usd) },
          { label: 'Remaining before', value: formatReportedUsd(remainingOf(period)) },
          {
            label: 'Reason',
            value: REFUND_REASONS[reason_code],
            note: `Sent to Invo as “${showControls(canSeeEmails ? reason : maskEmailsIn(reason))}”`,
          },
        ]}
      />
    </Card>
  );
}

/**
 * What changed at Invo since the facts an approval would be based on, while a refund awaits one: it is then no longer possible as
 * requested. None where the facts were renewed with the newest reading.
 */
export function findLateChanges({ state, lastErrorCode, facts }: Refund, newest: PeriodFacts | null): string[] {
  if (state !== 'awaiting_approval' || lastErrorCode !== 'period_changed') return [];
  return newest === null ? [] : formatChanges(facts.period, newest);
}

/** Says that Invo reported another refund of the period after this one was requested; nothing when it did not. */
export function ElsewhereNotice({ refunds, requestedAt }: { refunds: RefundElsewhere[]; requestedAt: string }): ReactElement | null {
  const since = refunds.filter(({ receivedAt }) => Date.parse(receivedAt) > Date.parse(requestedAt));
  if (since.length === 0) return null;
  return (
    <Notice voice="wait" title="This period was refunded elsewhere after this refund was requested">
      Invo reported it by webhook at {formatUtc(since[0]?.receivedAt ?? '')}. Approving reads the period again and shows you the new figures
      first.
    </Notice>
  );
}

/** Says that the period changed since the refund was requested; nothing when it did not. */
export function LateChangesNotice({ changes, amount_usd }: { changes: string[]; amount_usd: string }): ReactElement | null {
  if (changes.length === 0) return null;
  return (
    <Notice voice="bad" title="The period changed at Invo after this refund was requested">
      {changes.join(' ')} {formatUsd(amount_usd)} can no longer be refunded as requested.
    </Notice>
  );
}
