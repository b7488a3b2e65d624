import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatResume } from '#lib/approvals/text.ts';
import { formatUsd } from '#lib/core/money.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import type { RefundPause } from '#lib/refunds/reads/refund-preconditions.ts';
import { formatRestore } from '#lib/refunds/text.ts';

interface PauseNoticeProps {
  game: Game;
  person: Pick<Person, 'id' | 'may'>;
  /** null: refunds are sent. */
  pause: RefundPause | null;
  /** What a person can do about it here, such as the form that resumes refunds. */
  children?: ReactNode;
}

/** On every refund screen while refunds are paused: who paused them, why, and how they resume. */
export function PauseNotice({ game, person, pause, children }: PauseNoticeProps): ReactElement | null {
  if (pause === null) return null;
  const { pausedByName, pausedAt, why, openAtRestore } = pause;
  return (
    <Notice voice="bad" title={`Refunds for ${game.name} are paused`} actions={children}>
      <p>
        Paused by {pausedByName ?? 'Sharebook'} on <Instant at={pausedAt} timeZone={game.timeZone} />: “
        {person.may('emails.read') ? why : maskEmailsIn(why)}” No new refunds are sent to Invo. Refunds already sent are still tracked.{' '}
        {formatResume('refunds', pause.resumeRequestedBy, { id: person.id, mayApprove: person.may('refunds.approve') })}
      </p>
      {openAtRestore !== null && <OpenAtRestore slug={game.slug} refunds={openAtRestore} />}
    </Notice>
  );
}

const LISTED_MAX = 25;

function OpenAtRestore({ slug, refunds }: { slug: string; refunds: NonNullable<RefundPause['openAtRestore']> }): ReactElement {
  return (
    <>
      <p>{formatRestore(refunds.length)}</p>
      {refunds.length > 0 && (
        <ul>
          {refunds.slice(0, LISTED_MAX).map(({ refundId, amount_usd }) => (
            <li key={refundId}>
              <Link href={`/${slug}/refunds/${refundId}`}>
                Refund {refundId}, {formatUsd(amount_usd)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
