import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { config, db, now, payeeKey } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { KeyNotice } from '#app/[game]/_payouts/key-notice.tsx';
import { AccountNotice, findPaymentRights, LostFiles, type PaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { normalizeMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { localTimeOf, monthOf } from '#lib/core/month.ts';
import { nextTargetDay } from '#lib/core/target-days.ts';
import { type Batch, isFile, listBatches } from '#lib/payments/reads/batches.ts';
import { sumStates } from '#lib/payments/reads/payment-story.ts';
import { hasOpenRows } from '#lib/payments/reads/reports.ts';
import { listSenders, type SenderVersion } from '#lib/payments/reads/senders.ts';
import { listWaitingRecipients, sumWaiting, type WaitingGroup } from '#lib/payments/reads/waiting-items.ts';
import { REPLACED_STATES } from '#lib/payments/rules/item-state.ts';
import { BANK_METHODS, METHOD_FORMATS } from '#lib/payments/rules/payment.ts';
import { listStateSums, type StateSums } from '#lib/payments/rules/payment-sums.ts';
import { SENDER_METHODS } from '#lib/payments/rules/sender-entries.ts';
import { listLostFiles } from '#lib/payouts/reads/payout-pause.ts';
import { idsOfLost } from '#lib/payouts/rules/missing-run.ts';
import { ReportForm } from '../../_run/report-form.tsx';
import { RunHead } from '../../_run/run-head.tsx';
import { loadRun } from '../../_run/run-lists.ts';
import { CloseRunForm } from './close-run-form.tsx';
import { CreateFiles, type WaitingMethod } from './create-files.tsx';
import { ElsewhereProposal, ElsewhereTable } from './elsewhere-cards.tsx';
import { FileCard } from './file-card.tsx';
import { paymentsList } from './payment-list.ts';
import { PaymentProgress } from './payment-progress.tsx';
import { PaymentRows } from './payment-rows.tsx';
import styles from './payments.module.css';
import { isStuck, StuckPayments } from './stuck-payments.tsx';

export const metadata: Metadata = { title: 'Payments' };

interface PaymentsPageProps {
  params: Promise<{ game: string; runNo: string }>;
  searchParams: SearchParams;
}

/** Recipients of payments that can enter no file that the page names. */
const NAMED_MAX = 12;
const LIST_ID = 'payments';

/** The payments of an approved run: how far they are, what waits for a file, the files, and each payment. */
export default async function PaymentsPage({ params, searchParams }: PaymentsPageProps): Promise<ReactElement> {
  const person = await requirePerson('payees.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  if (run.approvedAt === null)
    return (
      <>
        <RunHead game={game} run={run} />
        {run.state === 'void' ? (
          <EmptyState title="No payments">This run was voided before its approval.</EmptyState>
        ) : (
          <EmptyState title="No payments yet">Payments are created when the run is approved.</EmptyState>
        )}
      </>
    );
  const canSeeEmails = person.may('emails.read');
  const [sums, batches, waiting, senders, lost, hasRows] = await Promise.all([
    sumStates(db(), game.gameId, run.runId),
    listBatches(db(), game.gameId, run.runId),
    sumWaiting(db(), run),
    listSenders(db(), game.gameId),
    listLostFiles(db(), game.gameId, run),
    run.paidAt !== null && run.closedAt === null && hasOpenRows(db(), run),
  ]);
  const source = { game, run, sums, canSeeEmails, mayExport: canSeeEmails && person.may('files.export') };
  const { spec, first } = await paymentsList.loadFirst(source, searchParams);
  const isSandbox = game.environment === 'sandbox';
  const rights = await findPaymentRights(game, person);
  const isOpen = run.state === 'approved' && run.closedAt === null;
  const may = isOpen && !isSandbox ? rights : { ...rights, prepare: false, approve: false };
  const isVoidRequested = run.state === 'approved' && run.voidRequestedBy !== null;
  const mayFinish = rights.prepare && isOpen;
  const today = localTimeOf(now(), game.timeZone).slice(0, 10);
  const month = formatMonth(monthOf(run.window.start, game.timeZone));
  const methods = methodsOf(
    waiting.filter((group) => !isStuck(run, group)),
    senders,
  );
  const parts = listStateSums(sums);
  const stuck = await Promise.all(
    (isSandbox ? [] : waiting)
      .filter((group) => isStuck(run, group))
      .map(async (group) => {
        const { method } = group;
        return { ...group, recipients: await listWaitingRecipients(db(), run, { method, limit: NAMED_MAX, canSeeEmails }) };
      }),
  );
  const close = mayFinish && run.paidAt !== null && !isVoidRequested && (
    <CloseRunForm slug={slug} run={run} month={month} parts={parts} hasOpenRows={hasRows} />
  );
  return (
    <>
      <RunHead game={game} run={run} />
      <KeyNotice />
      {person.may('payouts.prepare') && <AccountNotice refusal={person.accountRefusal} />}
      {run.state === 'void' && (
        <Notice voice="bad" title="This run was voided">
          {batches.some(isFile) ? 'Don’t upload its files. They can’t be downloaded any more.' : 'None of its payments is in a file.'} A new
          run can pay the month, from its <Link href={`/${slug}/months/${monthOf(run.window.start, game.timeZone)}/close`}>Close tab</Link>.
        </Notice>
      )}
      {isVoidRequested && (
        <Notice
          voice={run.hasFiles ? 'bad' : 'wait'}
          title={run.hasFiles ? 'Don’t upload the files of this run' : 'A void of this run is requested'}
        >
          {run.voidRequestedBy?.name} requested to void it. Until that is decided, no file can be created
          {run.hasFiles && ' or downloaded. If someone uploaded one, record its hand-over. After that the run can’t be voided'}.{' '}
          <Link href={`/${slug}/payouts/${run.runNo}`}>Confirm or keep the run</Link>
        </Notice>
      )}
      {isSandbox && (
        <Notice voice="note" title="A sandbox game has no payment files">
          Its money isn’t real. To pay, close the month of the production game.
        </Notice>
      )}
      {(lost.files.length > 0 || lost.isUnknown) && (
        <Notice
          voice="bad"
          title={lost.files.length > 0 ? 'A restore lost payment files of this run' : 'A restore may have lost payment files of this run'}
        >
          <LostFiles files={lost.files} isUnknown={lost.isUnknown} />
        </Notice>
      )}
      {parts.length === 0 ? (
        <EmptyState title="No payments" action={close}>
          This run pays nobody.
        </EmptyState>
      ) : run.state === 'void' ? null : (
        <div className={styles.cards}>
          <PaymentProgress parts={parts} proposed={proposedOf(sums, waiting)}>
            {close && <div className={styles.close}>{close}</div>}
          </PaymentProgress>
          {stuck.map((group) => (
            <StuckPayments key={group.method} slug={slug} group={group} mayPrepare={may.prepare} listId={LIST_ID} />
          ))}
          {may.prepare && !isVoidRequested && payeeKey() !== null && methods.length > 0 && (
            <Card title="Create files">
              <CreateFiles
                key={run.runId}
                game={slug}
                runId={run.runId}
                runNo={run.runNo}
                waiting={methods}
                note={`Revenue share ${month}`}
                executionDate={nextTargetDay(today)}
                lostFiles={idsOfLost(lost)}
              />
            </Card>
          )}
        </div>
      )}
      <Files slug={slug} batches={batches} may={may} isVoidRequested={isVoidRequested} />
      {mayFinish && run.hasFiles && payeeKey() !== null && (
        <div className={styles.section}>
          <Card title="Add report">
            <div className={styles.file}>
              {config().isSimulated && batches.some((batch) => isFile(batch) && batch.state === 'handed_over') && (
                <p className={styles.hint}>
                  <a href={`/${slug}/payouts/${run.runNo}/payments/files/report.csv`} download>
                    Download the demo bank’s report
                  </a>{' '}
                  on the files that were handed over, then choose it here.
                </p>
              )}
              <ReportForm game={slug} />
            </div>
          </Card>
        </div>
      )}
      {parts.length > 0 && (
        <section className={styles.section}>
          <h2 id={LIST_ID}>Payments</h2>
          {may.prepare && sums.waiting !== undefined ? (
            <PaymentRows
              about={{ game: slug, runId: run.runId }}
              version={versionOf(batches, parts)}
              today={today}
              spec={spec}
              first={first}
            />
          ) : (
            <DataTable key={versionOf(batches, parts)} spec={spec} first={first} />
          )}
          <TableNote>
            Amounts in USD. Accounts are masked. The reference leads from a line of the bank back to the payment.
            {REPLACED_STATES.some((state) => sums[state] !== undefined) &&
              ' The total leaves out payments that were cancelled, replaced, withdrawn or only proposed, unless the list shows no others.'}
          </TableNote>
        </section>
      )}
    </>
  );
}

/** What is in no file and can enter none until a second person decides. */
function proposedOf({ waiting: all }: StateSums, free: readonly WaitingGroup[]): { count: number; total_usd: string } {
  return {
    count: (all?.count ?? 0) - free.reduce((sum, { count }) => sum + count, 0),
    total_usd: subtractMoney(all?.total_usd ?? '0.00', sumMoney(free.map(({ total_usd }) => total_usd))),
  };
}

/** Changes whenever a payment does. */
function versionOf(batches: readonly Batch[], parts: readonly { state: string; count: number }[]): string {
  return [...batches.map(({ batchNo, state }) => `${batchNo} ${state}`), ...parts.map(({ state, count }) => `${state} ${count}`)].join();
}

function methodsOf(waiting: readonly WaitingGroup[], senders: readonly SenderVersion[]): WaitingMethod[] {
  return waiting.flatMap(({ method, count, total_usd }): WaitingMethod[] => {
    if (method === null) return [];
    const inForce = senders.find((sender) => sender.method === method && sender.state === 'in_force');
    return [
      {
        method,
        count,
        total_usd: normalizeMoney(total_usd),
        // The layout of ACH follows from whom it pays.
        formats: method === 'ach' ? [] : METHOD_FORMATS[method],
        isBank: BANK_METHODS.includes(method),
        sender: inForce?.mask ?? null,
        needsSender: SENDER_METHODS.some((each) => each === method),
      },
    ];
  });
}

interface FilesProps {
  slug: string;
  batches: readonly Batch[];
  may: PaymentRights;
  isVoidRequested: boolean;
}

/** The files of a run: those that count, what was paid elsewhere, and below them what was cancelled. */
function Files({ slug, batches, may, isVoidRequested }: FilesProps): ReactElement | null {
  const files = batches.filter(isFile).toReversed();
  const counting = files.filter(({ state }) => state === 'made' || state === 'handed_over');
  const ended = files.filter(({ state }) => state === 'cancelled' || state === 'void');
  const proposed = batches.filter(({ state }) => state === 'proposed');
  const elsewhere = batches.filter(({ method, state }) => method === 'elsewhere' && state === 'handed_over');
  if (files.length === 0 && proposed.length === 0 && elsewhere.length === 0) return null;
  const canOpen = payeeKey() !== null;
  const draw = (file: (typeof files)[number]): ReactElement => (
    <FileCard key={file.batchNo} slug={slug} file={file} may={may} isVoidRequested={isVoidRequested} canOpen={canOpen} />
  );
  return (
    <section className={styles.section}>
      <h2>Files</h2>
      <div className={styles.cards}>
        {proposed.map((batch) => (
          <ElsewhereProposal key={batch.batchNo} slug={slug} batch={batch} may={may} />
        ))}
        {counting.length > 0 && <div className={styles.files}>{counting.map(draw)}</div>}
        {elsewhere.length > 0 && <ElsewhereTable batches={elsewhere} />}
        {ended.length > 0 && (
          <details>
            <summary>
              {ended.some(({ state }) => state === 'void')
                ? countNoun(ended.length, 'file of the voided run', 'files of the voided run')
                : countNoun(ended.length, 'cancelled file')}
            </summary>
            <div className={styles.files}>{ended.map(draw)}</div>
          </details>
        )}
      </div>
    </section>
  );
}
