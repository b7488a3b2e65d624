import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { ListRow, RowList } from '#app/_ui/figures/facts.tsx';
import { formatMonth, showControls } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { findPaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { formatMoney, formatUsd, normalizeMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { findBatch } from '#lib/payments/reads/batches.ts';
import { findPaymentStory } from '#lib/payments/reads/payment-story.ts';
import { findOpenReissue } from '#lib/payments/reads/reissues.ts';
import { listOpenRowsAbout } from '#lib/payments/reads/reports.ts';
import { parsePaymentReference } from '#lib/payments/rules/payment-reference.ts';
import { PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';
import { paymentStatus } from '../payment-list.ts';
import styles from '../payments.module.css';
import { OpenRows } from './open-rows.tsx';
import { eventsOf } from './payment-events.tsx';
import { ReissueCard } from './reissue-card.tsx';

export const metadata: Metadata = { title: 'Payment' };

interface PaymentPageProps {
  params: Promise<{ game: string; runNo: string; reference: string }>;
}

/** One payment: what it pays whom, everything that happened to it from the run to the bank, and what proves it. */
export default async function PaymentPage({ params }: PaymentPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const { game: slug, runNo, reference: typed } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const parsed = parsePaymentReference(typed);
  if (parsed === null || parsed.gameId !== game.gameId || parsed.runNo !== run.runNo) notFound();
  const canSeeEmails = person.may('emails.read');
  const ofRun = { gameId: game.gameId, runId: run.runId, runNo: run.runNo };
  const story = (await findPaymentStory(db(), ofRun, parsed.itemNo, { canSeeEmails })) ?? notFound();
  const batch = story.batchNo === null ? null : await findBatch(db(), game.gameId, story.batchNo);
  const open = await listOpenRowsAbout(db(), game.gameId, { runId: run.runId, itemNo: parsed.itemNo, batchNo: story.batchNo });
  const reissue = run.state === 'approved' ? await findOpenReissue(db(), game.gameId, { runId: run.runId, itemNo: parsed.itemNo }) : null;
  const rights = await findPaymentRights(game, person);
  const may = run.closedAt === null ? rights : { ...rights, prepare: false, approve: false };
  const month = monthOf(run.window.start, game.timeZone);
  const payments = `/${slug}/payouts/${run.runNo}/payments`;
  const name = story.name === null ? `Player ${story.recipientId}` : showControls(story.name);
  const amount = formatUsd(normalizeMoney(story.amount_usd));
  return (
    <>
      <PageHead title={`Payment ${story.reference}`} beside={<Status {...paymentStatus(run, story.state)} />}>
        {amount} to <Link href={`/${slug}/recipients/${story.recipientId}`}>{name}</Link>, run {run.runNo}, {formatMonth(month)} ·{' '}
        <Link href={payments}>All payments of the run</Link>
      </PageHead>
      <OpenRows slug={slug} rows={open} />
      <TwoColumns isBalanced>
        <Column>
          <Card title="What happened">
            <ol className={styles.story}>
              {eventsOf({ slug, run, story, batch, payments }).map(({ key, when, children }) => (
                <li key={key}>
                  <span className={styles.when}>{when}</span>
                  <div>{children}</div>
                </li>
              ))}
            </ol>
          </Card>
        </Column>
        <Column>
          {reissue !== null && <ReissueCard slug={slug} reissue={reissue} may={may} />}
          <Card title="Payment" isAnswer>
            <p className={styles.amount}>{amount}</p>
            <RowList>
              <ListRow label="Reference">
                <CopyButton text={story.reference} what="payment reference" />
              </ListRow>
              {batch !== null && batch.currency !== 'USD' && story.amountInFile !== null && (
                <ListRow label="In the file">
                  {formatMoney(normalizeMoney(story.amountInFile))} {batch.currency}
                </ListRow>
              )}
              <ListRow label="Method">{story.method === null ? 'No payment details' : PAYMENT_METHOD_TEXT[story.method]}</ListRow>
              {story.account !== null && (
                <ListRow label="Account" note={story.detailNo === null ? null : `Version ${story.detailNo} of the payment details`}>
                  <Link href={`/${slug}/payouts/payees/${story.recipientId}`}>{story.account}</Link>
                </ListRow>
              )}
              {story.trace !== null && <ListRow label="Trace number">{story.trace}</ListRow>}
              {story.replaces !== null && (
                <ListRow label="Replaces">
                  <Link href={`${payments}/${story.replaces}`}>{story.replaces}</Link>
                </ListRow>
              )}
              {story.replacedBy !== null && (story.state === 'reissued' || story.state === 'cancelled') && (
                <ListRow label="Replaced by">
                  <Link href={`${payments}/${story.replacedBy}`}>{story.replacedBy}</Link>
                </ListRow>
              )}
            </RowList>
          </Card>
          <Card title="Evidence">
            <ul className={styles.links}>
              <li>
                <Link href={`/${slug}/payouts/${run.runNo}/statements/${story.recipientId}`}>Statement of the recipient</Link>
                <span className={styles.more}>Each line of the amount, with its period</span>
              </li>
              <li>
                <Link href={`/${slug}/months/${month}/reconciliation`}>
                  Snapshot {run.snapshotId} of {formatMonth(month)}
                </Link>
                <span className={styles.more}>The checks, and the responses of Invo</span>
              </li>
              <li>
                <Link href={`/${slug}/recipients/${story.recipientId}`}>Figures and runs of the recipient</Link>
              </li>
              {story.account === null && story.method === null && (
                <li>
                  <Link href={`/${slug}/payouts/payees/${story.recipientId}`}>Payment details</Link>
                </li>
              )}
            </ul>
          </Card>
        </Column>
      </TwoColumns>
    </>
  );
}
