import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import type { Game } from '#lib/core/game.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import type { WaitingPayout } from '#lib/payouts/reads/waiting-payouts.ts';
import styles from './_run/run.module.css';

interface WaitingCardProps {
  game: Game;
  waiting: WaitingPayout[];
  /** How many there are, listed or not. */
  count: number;
}

/** What waits for the person who looks; nothing when nothing does. */
export function WaitingCard({ game, waiting, count }: WaitingCardProps): ReactElement | null {
  if (waiting.length === 0) return null;
  return (
    <Card
      title="Waiting for you"
      aside={<span className={styles.quiet}>{count > waiting.length ? `${waiting.length} of ${count}` : count}</span>}
    >
      <ul className={styles.waiting}>
        {waiting.map((each) => {
          const { title, facts, href, act } = describe(game, each);
          return (
            <li key={`${each.kind} ${each.id}`}>
              <div>
                <strong>{title}</strong>
                <span className={styles.hint}>{facts}</span>
              </div>
              <LinkButton href={href} kind={each.kind === 'approve' ? 'main' : 'plain'}>
                {act}
              </LinkButton>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function describe(game: Game, each: WaitingPayout): { title: string; facts: string; href: string; act: string } {
  const { kind, runNo, windowStart, recipientId, amount_usd, payableCount, by, reason, since } = each;
  const payouts = `/${game.slug}/payouts`;
  if (kind === 'adjustment')
    return {
      title: `Confirm ${formatUsd(amount_usd)} for player ${recipientId}`,
      facts: `Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
      href: `${payouts}/adjustments`,
      act: 'Review adjustment',
    };
  if (kind === 'details')
    return {
      title: `Confirm payment details of ${recipientId === null ? countNoun(payableCount ?? 0, 'recipient') : `player ${recipientId}`}`,
      facts: `Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
      href: recipientId === null ? `${payouts}/payees` : `${payouts}/payees/${recipientId}`,
      act: 'Review payment details',
    };
  const run = `run ${runNo}, ${formatMonth(monthOf(windowStart ?? since, game.timeZone))}`;
  const sum = `${formatUsd(amount_usd)} to ${countNoun(payableCount ?? 0, 'recipient')}`;
  const href = `${payouts}/${runNo}`;
  switch (kind) {
    case 'approve':
      return {
        title: `Approve ${run}`,
        facts: `${sum}, submitted by ${by ?? 'a person'} on ${formatUtc(since)}`,
        href: `${href}/approve`,
        act: 'Review run',
      };
    case 'confirm_void':
      return {
        title: `Confirm voiding ${run}`,
        facts: `Requested by ${by ?? 'a person'}: “${showControls(reason ?? '')}”`,
        href,
        act: 'Open run',
      };
    case 'returned':
      return by === null
        ? { title: `Submit ${run} again`, facts: 'It returned to draft after you submitted it.', href, act: 'Open run' }
        : { title: `Correct ${run}`, facts: `Sent back by ${by}: “${showControls(reason ?? '')}”`, href, act: 'Open run' };
  }
}
