import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { openGameContext } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { AccountNotice, PayoutPauseNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import { PullButton } from '#app/[game]/_pulls/pull.tsx';
import { compareInstants, fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthWindow } from '#lib/core/month.ts';
import { findClose, type MonthClose } from '#lib/payouts/find-close.ts';
import { findAnswers } from '#lib/payouts/reads/close-facts.ts';
import type { RunTotals } from '#lib/payouts/rules/compose-run.ts';
import { progressOf } from '#lib/payouts/rules/run-content.ts';
import { formatStarted } from '#lib/payouts/rules/run-words.ts';
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { loadMonth } from '../../load-month.ts';
import { recalculateAction, startAction, submitAction } from './actions.ts';
import { Checklist } from './checklist.tsx';
import styles from './close.module.css';
import { RunForm } from './close-forms.tsx';

export const metadata: Metadata = { title: 'Close' };

/** The checklist between a month and its payout run, with the forms that answer its items. */
export default async function ClosePage({ params }: { params: Promise<{ game: string; month: string }> }): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month: requested } = await params;
  const { game, row } = await loadMonth(slug, requested);
  if (row.snapshot === null) return null;
  const { month } = row;
  const found = await findClose(openGameContext(game).game, month);
  const mayPrepare = person.may('payouts.prepare') && person.accountRefusal === null;
  const { timeZone, settleLag_minutes } = openGameContext(game).game;
  const closableFrom = fromMicroseconds(toMicroseconds(monthWindow(month, timeZone).end) + BigInt(settleLag_minutes) * 60_000_000n);
  // Pulling can't complete a month before it is over.
  const isOpen = compareInstants(now(), closableFrom) < 0;
  if (found.kind === 'none')
    return (
      <EmptyState
        title={`${formatMonth(month)} can’t be closed yet`}
        action={!isOpen && person.may('pulls.start') && <PullButton game={slug} month={month} label={`Pull ${formatMonth(month)}`} />}
      >
        {isOpen
          ? `It can be closed from ${formatUtc(closableFrom)}, when it is over. A run pays only what Invo reported in full.`
          : 'It has no complete snapshot. A run pays only what Invo reported in full.'}
      </EmptyState>
    );
  return (
    <>
      <PayoutPauseNotice game={game} person={person} />
      <RefreshWhile isBusy={row.state === 'pulling'} />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      <Lead slug={slug} month={month} found={found} mayPrepare={mayPrepare} />
      <Checklist
        slug={slug}
        month={month}
        close={found.close}
        answers={found.kind === 'run' ? await findAnswers(db(), found.run) : []}
        runId={found.kind === 'run' && found.run.state === 'draft' && mayPrepare ? found.run.runId : null}
        runNo={found.kind === 'run' ? found.run.runNo : null}
        mayPull={person.may('pulls.start')}
        canSeeEmails={person.may('emails.read')}
        mayReadDetails={person.may('payees.read')}
      />
    </>
  );
}

interface LeadProps {
  slug: string;
  month: string;
  found: Exclude<MonthClose, { kind: 'none' }>;
  mayPrepare: boolean;
}

/** The leading sentence: what is ready, what still needs a person, how much goes to how many; and the one button. */
function Lead({ slug, month, found, mayPrepare }: LeadProps): ReactElement {
  const { close } = found;
  const name = formatMonth(month).split(' ')[0];
  const shape = found.kind === 'run' ? found.run : countPayable(found.preview.run);
  const sum = `${formatUsd(shape.totals.payable)} for ${shape.payableCount} of ${countNoun(shape.lineCount, 'recipient')}`;
  const open = [
    ...(close.openBlocks > 0 ? [`${countNoun(close.openBlocks, 'item')} ${close.openBlocks === 1 ? 'blocks' : 'block'} submission`] : []),
    ...(close.openNotes > 0 ? [`${close.openNotes} ${close.openNotes === 1 ? 'needs' : 'need'} a note`] : []),
  ].join(' and ');
  const isDraft = found.kind === 'run' && found.run.state === 'draft';
  return (
    <section className={styles.lead} aria-label="Close">
      <div className={styles.sentence}>
        {found.kind === 'preview' && (
          <p>
            A payout run of {name} would pay <strong>{sum}</strong>.{open !== '' && ` ${open}.`}
          </p>
        )}
        {isDraft && (
          <p>
            {open === '' ? (
              <>
                {name} is ready. You can submit <strong>{sum}</strong>.
              </>
            ) : (
              <>
                <strong>{open}</strong> before you can submit <strong>{sum}</strong>.
              </>
            )}
          </p>
        )}
        {found.kind === 'run' && !isDraft && (
          <p>
            Run {found.run.runNo} is {RUN_STATE_TEXT[progressOf(found.run)].toLowerCase()}: <strong>{sum}</strong>.
          </p>
        )}
        <p className={styles.hint}>
          {found.kind === 'preview'
            ? 'Nothing is stored yet. Notes and holds need a draft.'
            : isDraft
              ? `${formatStarted(found.run.draftedBy.name, formatUtc(found.run.draftedAt))} The draft saves as you go. Nothing is paid until another person approves the run.`
              : 'Approved runs never change. Corrections go into the next run as adjustments.'}
        </p>
      </div>
      <div className={styles.buttons}>
        {found.kind === 'run' && (
          <LinkButton href={`/${slug}/payouts/${found.run.runNo}`} kind={isDraft ? 'plain' : 'main'}>
            Open run {found.run.runNo}
          </LinkButton>
        )}
        {isDraft && mayPrepare && close.items.some(({ key }) => key === 'not_contradicted') && (
          <RunForm
            action={recalculateAction}
            about={{ game: slug, runId: found.run.runId }}
            kind="plain"
            label="Recalculate"
            pendingWord="Recalculating…"
          />
        )}
        {found.kind === 'preview' && mayPrepare && (
          <RunForm action={startAction} about={{ game: slug, month }} label="Start payout run" pendingWord="Starting…" />
        )}
        {isDraft && mayPrepare && (
          <RunForm
            action={submitAction}
            about={{ game: slug, runId: found.run.runId, draftDigest: found.run.draftDigest ?? '' }}
            label={`Submit ${formatUsd(shape.totals.payable)} for approval`}
            pendingWord="Submitting…"
            isDisabled={open !== ''}
          />
        )}
      </div>
    </section>
  );
}

function countPayable({ lines, totals }: { lines: readonly { outcome: string }[]; totals: RunTotals }): {
  totals: RunTotals;
  payableCount: number;
  lineCount: number;
} {
  return { totals, payableCount: lines.filter(({ outcome }) => outcome === 'payable').length, lineCount: lines.length };
}
