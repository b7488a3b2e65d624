import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { type ApprovedRun, findMonthJournals, type StoredJournal } from '#lib/accounting/reads.ts';
import { cardFeesOf, cardFeesToPost, linesOf } from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type Layout, listUnmapped } from '#lib/accounting/rules/layouts.ts';
import { formatCardFees, formatJournalGaps, formatMissingAccounts, LAYOUT_LABELS } from '#lib/accounting/text.ts';
import { formatUsd, signOfMoney } from '#lib/core/money.ts';
import { loadRun } from '../../_run/load-run.ts';
import { RunHead } from '../../_run/run-head.tsx';
import { postCardFeesAction } from '../actions.ts';
import styles from './journal.module.css';
import { JournalCard } from './journal-card.tsx';

export const metadata: Metadata = { title: 'Journal' };

export default async function JournalPage({ params }: { params: Promise<{ game: string; runNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo: text } = await params;
  const { game, run } = await loadRun(slug, text);
  const { journals, map, run: approved } = await findMonthJournals(db(), game.gameId, run.window);
  const href = `/${slug}/payouts/${run.runNo}/journal`;
  const posted = journals.map(({ transfers }) => ({ lines: linesOf(transfers) }));
  const unmapped = LAYOUTS.map((layout) => ({ layout, accounts: listUnmapped(layout, posted, map.accounts) }));
  const layouts = unmapped.filter(({ accounts }) => accounts.length === 0).map(({ layout }) => layout);
  const hasFiles = person.may('files.export') && journals.length > 0;
  return (
    <>
      <RunHead
        game={game}
        run={run}
        actions={
          hasFiles && <Downloads href={href} layouts={layouts} label={journals.length > 1 && layouts.length > 0 ? 'All journals' : null} />
        }
      />
      {approved !== null && <Gaps run={approved} journals={journals} slug={slug} mayPost={person.may('payouts.prepare')} />}
      {approved === null && (
        <EmptyState title={journals.length === 0 ? 'No journal yet' : 'This month has no approved run'}>
          Sharebook posts the journal when the run is approved.
        </EmptyState>
      )}
      {hasFiles && layouts.length < LAYOUTS.length && (
        <Notice
          voice={layouts.length === 0 ? 'wait' : 'note'}
          title={layouts.length === 0 ? 'Accounts aren’t set' : 'Some accounts aren’t set'}
          actions={<LinkButton href={`/settings/accounts/${slug}`}>Set accounts</LinkButton>}
        >
          {formatMissingAccounts(unmapped).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      <div className={styles.journals}>
        {journals.map((journal) => (
          <JournalCard
            key={journal.entryNo}
            journal={journal}
            map={map}
            timeZone={game.timeZone}
            downloads={
              hasFiles && journals.length > 1 && <Downloads href={href} layouts={layouts} journalNo={journal.journalNo} label={null} />
            }
          />
        ))}
      </div>
    </>
  );
}

interface DownloadsProps {
  href: string;
  layouts: Layout[];
  journalNo?: string;
  label: string | null;
}

function Downloads({ href, layouts, journalNo, label }: DownloadsProps): ReactElement {
  const query = journalNo === undefined ? '' : `?journal=${journalNo}`;
  return (
    <span className={styles.downloads}>
      {label}
      {layouts.map((layout) => (
        <LinkButton key={layout} href={`${href}/${layout}${query}`} kind={journalNo === undefined ? 'plain' : 'quiet'} isFile>
          {LAYOUT_LABELS[layout]}
        </LinkButton>
      ))}
    </span>
  );
}

interface GapsProps {
  run: ApprovedRun;
  journals: StoredJournal[];
  slug: string;
  mayPost: boolean;
}

/** What the journals of the month lack, card fees first. */
function Gaps({ run, journals, slug, mayPost }: GapsProps): ReactElement {
  const fees = cardFeesOf(run.details);
  const toPost = cardFeesToPost(
    fees,
    journals.filter(({ runId }) => runId === run.runId),
  );
  const isOpen = toPost !== null && signOfMoney(toPost) !== 0;
  const gaps = formatJournalGaps(run);
  const isComplete = fees.state === 'whole' && !isOpen && gaps.length === 0;
  return (
    <Notice
      voice={isComplete ? 'good' : 'wait'}
      title={isComplete ? 'Everything Invo reports is posted' : 'Not everything is in these journals'}
      actions={
        isOpen &&
        mayPost && (
          <ActionForm
            action={postCardFeesAction}
            about={{ game: slug, runId: run.runId }}
            label={`Post card fees of ${formatUsd(toPost)}`}
            pendingLabel="Posting…"
          />
        )
      }
    >
      {[formatCardFees(fees, toPost), ...gaps].map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}
