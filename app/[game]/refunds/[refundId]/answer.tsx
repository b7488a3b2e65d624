import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { REFUND_STATE_TEXTS } from '#lib/refunds/text.ts';
import { sayNext } from './next-words.ts';
import styles from './refund.module.css';
import { Reversal } from './reversal.tsx';

export interface AnswerProps {
  game: Game;
  refund: RefundDetail;
  /** Amounts Invo gave beside the last code. */
  lastFacts: Readonly<Record<string, unknown>>;
  isStopped: boolean;
}

/** What became of the refund, what is safe now, and what happens next. */
export function Answer({ game, refund, lastFacts, isStopped }: AnswerProps): ReactElement {
  const { state, amount_usd, facts, period_id, period_seq, lastErrorId, transaction_id, client_request_id } = refund;
  const playerId = facts.subscription?.player_id ?? null;
  const words = REFUND_STATE_TEXTS[state];
  return (
    <Card>
      <p role="status" className={clsx(styles.state, styles[words.tone])}>
        {words.label}
      </p>
      <Money amount={amount_usd} size="answer" />
      <p className={styles.what}>
        <bdi>{facts.period.item_name === null ? 'Item not recorded' : showControls(facts.period.item_name)}</bdi>,{' '}
        <Link href={`/${game.slug}/periods/${period_id}`}>
          period {period_id}, number {period_seq}
        </Link>
        , <Link href={`/${game.slug}/subscriptions/${refund.subscription_id}`}>{refund.subscription_id}</Link>
        {playerId !== null && (
          <>
            , of{' '}
            <Link href={`/${game.slug}/players/${playerId}`}>
              {refund.playerName === null ? `player ${playerId}` : showControls(refund.playerName)}
            </Link>
          </>
        )}
      </p>
      <p className={styles.safe}>{words.sentence}</p>
      {sayNext({ ...refund, lastFacts, isStopped }).map((each) => (
        <p key={each}>{each}</p>
      ))}
      {(state === 'landed' || refund.reversal !== null) && <Reversal game={game} refund={refund} />}
      <dl className={styles.ids}>
        <dt>Key at Invo, client_request_id</dt>
        <dd>
          <CopyButton text={client_request_id} what="key" />
        </dd>
        {lastErrorId !== null && (
          <>
            <dt>Reference to quote to Invo, error_id</dt>
            <dd>
              <CopyButton text={lastErrorId} what="error id" />
            </dd>
          </>
        )}
        {transaction_id !== null && (
          <>
            <dt>Transaction at Invo</dt>
            <dd>
              <CopyButton text={transaction_id} what="transaction id" />
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
