import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { openGameContext } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { ChangeBar, ShareBar } from '#app/_ui/charts/bars.tsx';
import { cutShares } from '#app/_ui/charts/chart-series.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Menu } from '#app/_ui/controls/menu.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatChange, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { formatUsd, normalizeMoney, signOfMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { PACK_RIGHTS } from '#lib/packs/rules/pack-index.ts';
import { findRecheck } from '#lib/payouts/find-close.ts';
import { countOutcomes, listEditors, type Run } from '#lib/payouts/reads/find-run.ts';
import { listEurAmounts } from '#lib/payouts/reads/paid-details.ts';
import { listMoves, listRunEvents, type RunEvent, type RunMove } from '#lib/payouts/reads/run-lines.ts';
import type { OutcomeCounts } from '#lib/payouts/rules/compose-run.ts';
import { OUTCOMES } from '#lib/payouts/rules/decide-line.ts';
import { formatRunActivity } from '#lib/payouts/rules/run-words.ts';
import { formatCheckTitle, OUTCOME_TEXT } from '#lib/payouts/text.ts';
import { EurRateFacts } from '../_run/eur-rate.tsx';
import { NotUploaded } from '../_run/not-uploaded.tsx';
import { RecheckNotice } from '../_run/recheck-notice.tsx';
import styles from '../_run/run.module.css';
import { RunHead } from '../_run/run-head.tsx';
import { loadRun, runLinesList } from '../_run/run-lists.ts';
import { confirmVoidAction, discardVoidAction, requestVoidAction, returnAction, voidAction } from './actions.ts';
import { RateForm } from './rate-form.tsx';
import { RunLines } from './run-lines.tsx';

interface RunPageProps {
  params: Promise<{ game: string; runNo: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: Pick<RunPageProps, 'params'>): Promise<Metadata> {
  return { title: `Run ${(await params).runNo}` };
}

const MOVES_MAX = 8;
const EVENTS_SHOWN = 5;

/** One payout run: what it pays, why, what changed since the run before, and who did what. */
export default async function RunPage({ params, searchParams }: RunPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const [outcomes, moves, events, editors, recheck] = await Promise.all([
    countOutcomes(db(), game.gameId, run.runId),
    listMoves(db(), run, { limit: MOVES_MAX, canSeeEmails: person.may('emails.read') }),
    listRunEvents(db(), game.gameId, `payout run ${run.runNo}`),
    listEditors(db(), run),
    run.state === 'submitted' ? findRecheck(openGameContext(game).game, db(), run) : null,
  ]);
  const eurAmounts = run.state === 'draft' ? await listEurAmounts(db(), run) : [];
  const source = { slug, run, outcomes, canSeeEmails: person.may('emails.read'), mayReadDetails: person.may('payees.read') };
  const { spec, first } = await runLinesList.loadFirst(source, searchParams);
  const isEditor = editors.some(({ personId }) => personId === person.id);
  const mayPrepare = person.may('payouts.prepare');
  const mayEnter = mayPrepare && person.accountRefusal === null;
  return (
    <>
      <RunHead
        game={game}
        run={run}
        actions={
          <>
            {person.may('files.export') && person.may('emails.read') && (
              <Menu
                label="Export"
                entries={[
                  { label: 'CSV', href: `/${slug}/payouts/${run.runNo}/export/csv`, isFile: true },
                  { label: 'Excel', href: `/${slug}/payouts/${run.runNo}/export/xlsx`, isFile: true },
                ]}
              />
            )}
            {run.state === 'approved' && PACK_RIGHTS.every((right) => person.may(right)) && (
              <LinkButton href={`/${slug}/payouts/${run.runNo}/pack`} isFile>
                Evidence pack
              </LinkButton>
            )}
            {run.state === 'draft' && mayPrepare && (
              <LinkButton kind="main" href={`/${slug}/months/${monthOf(run.window.start, game.timeZone)}/close`}>
                Review and submit
              </LinkButton>
            )}
            {run.state === 'submitted' && person.may('payouts.approve') && !isEditor && (
              <LinkButton kind="main" href={`/${slug}/payouts/${run.runNo}/approve`}>
                Review {formatUsd(run.totals.payable)}
              </LinkButton>
            )}
          </>
        }
      />
      {recheck !== null && <RecheckNotice game={game} run={run} recheck={recheck} mayRecheck={false} />}
      {run.voidRequestedBy !== null && run.state === 'approved' && (
        <Notice voice="wait" title={`${run.voidRequestedBy.name} requested to void this run: “${run.voidReason ?? ''}”`}>
          A second person must confirm it.{run.hasFiles && ' Payment files exist. Don’t upload them.'}
        </Notice>
      )}
      {run.state === 'void' && run.hasFiles && (
        <Notice voice="bad" title="Don’t upload the files of this run">
          It was voided after its payment files were created. They can’t be downloaded any more.
        </Notice>
      )}
      {outcomes.no_details !== undefined && person.may('payees.read') && run.state !== 'approved' && run.state !== 'void' && (
        <Notice
          voice="wait"
          title={`${countNoun(outcomes.no_details.count, 'recipient')} without payment details`}
          actions={
            <LinkButton href={`/${slug}/payouts/payees?show=none`}>
              {mayEnter ? 'Enter payment details' : 'View payment details'}
            </LinkButton>
          }
        >
          They aren’t paid until payment details are in force. What is due is carried forward.
        </Notice>
      )}
      <TwoColumns>
        <div>
          {mayPrepare && run.state !== 'void' ? (
            <RunLines game={slug} run={{ runId: run.runId, state: run.state }} version={run.version} spec={spec} first={first} />
          ) : (
            <DataTable key={run.version} spec={spec} first={first} />
          )}
          <TableNote>Amounts in USD. A line is never changed after submission.</TableNote>
        </div>
        <Column>
          {(eurAmounts.length > 0 || run.eurRate !== null) && (
            <div id="eur-rate">
              <Card title="EUR rate">
                {run.state === 'draft' ? (
                  <EurRateFacts rate={run.eurRate} amounts={eurAmounts} />
                ) : (
                  <p>
                    {normalizeMoney(run.eurRate?.usd_per_eur ?? '')} USD per EUR
                    <span className={styles.hint}> {showControls(run.eurRate?.source ?? '')}</span>
                  </p>
                )}
                {run.state === 'draft' && mayEnter && (
                  <div className={styles.forms}>
                    <RateForm
                      key={run.version}
                      about={{ game: slug, runId: run.runId }}
                      rate={run.eurRate === null ? '' : normalizeMoney(run.eurRate.usd_per_eur)}
                      source={run.eurRate?.source ?? ''}
                    />
                  </div>
                )}
              </Card>
            </div>
          )}
          <Outcomes outcomes={outcomes} />
          {run.previousRunId !== null && <Changes slug={slug} moves={moves} />}
          <Activity events={events} />
          {mayPrepare && run.state !== 'void' && <Actions slug={slug} run={run} person={person} />}
        </Column>
      </TwoColumns>
    </>
  );
}

/** How many recipients the run pays, and why it doesn't pay the others. */
function Outcomes({ outcomes }: { outcomes: OutcomeCounts }): ReactElement | null {
  const parts = OUTCOMES.flatMap((outcome) => {
    const counted = outcomes[outcome];
    return counted === undefined
      ? []
      : [{ key: outcome, label: OUTCOME_TEXT[outcome], count: counted.count, amount: normalizeMoney(counted.amount_usd) }];
  });
  if (parts.length === 0) return null;
  return (
    <Card title="Outcomes">
      <ShareBar label="Outcomes of this run" heads={{ part: 'Outcome', count: 'Recipients', amount: 'USD' }} parts={parts} />
      <p className={styles.hint}>Payable, or what is due to those that aren’t paid.</p>
    </Card>
  );
}

function Changes({ slug, moves }: { slug: string; moves: readonly RunMove[] }): ReactElement {
  const shares = cutShares(moves.map(({ change_usd }) => change_usd));
  return (
    <Card title="Changes since the last run">
      {moves.length === 0 ? (
        <p className={styles.hint}>Every recipient is paid the same.</p>
      ) : (
        <ul className={styles.list}>
          {moves.map(({ recipientId, name, payable_usd, last_usd, change_usd, outcome }, index) => (
            <li key={recipientId}>
              <Link href={`/${slug}/recipients/${recipientId}`}>{name === null ? `Player ${recipientId}` : showControls(name)}</Link>
              <Money amount={change_usd} size="fact" isStrong />
              <ChangeBar {...(shares[index] ?? { share: 0, isCut: false })} isLess={signOfMoney(change_usd) < 0} />
              <span className={styles.hint}>
                {last_usd === null || !/[1-9]/.test(last_usd)
                  ? 'Not paid last month'
                  : outcome === 'payable'
                    ? `${formatUsd(last_usd)} → ${formatUsd(payable_usd)}, ${formatChange(payable_usd, last_usd)}`
                    : OUTCOME_TEXT[outcome]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shares.some(({ isCut }) => isCut) && <p className={styles.hint}>A broken bar is longer than shown.</p>}
    </Card>
  );
}

function Activity({ events }: { events: readonly RunEvent[] }): ReactElement {
  const items = events.map((event) => (
    <li key={`${event.at} ${event.act}`} className={styles.activity}>
      <span>
        {event.actor} {formatRunActivity(event, formatCheckTitle)}
      </span>
      <span className={styles.quiet}>{formatUtc(event.at)}</span>
    </li>
  ));
  return (
    <Card title="Activity">
      <ul className={styles.list}>{items.slice(0, EVENTS_SHOWN)}</ul>
      {items.length > EVENTS_SHOWN && (
        <details className={styles.earlier}>
          <summary>{items.length - EVENTS_SHOWN} earlier</summary>
          <ul className={styles.list}>{items.slice(EVENTS_SHOWN)}</ul>
        </details>
      )}
    </Card>
  );
}

const REASON = { label: 'Reason', lengthMax: 1_000, isRequired: true };

/** What a preparer can do with the run now. */
function Actions({ slug, run, person: { id, accountRefusal } }: { slug: string; run: Run; person: Person }): ReactElement {
  if (accountRefusal !== null) return <AccountNotice refusal={accountRefusal} />;
  const about = { game: slug, runId: run.runId };
  return (
    <Card title="Actions">
      <div className={styles.forms}>
        {(run.state === 'submitted' || run.state === 'rejected') && (
          <ActionForm action={returnAction} about={about} label="Return to draft" pendingLabel="Returning…" />
        )}
        {run.state !== 'approved' && (
          <ActionForm action={voidAction} about={about} label="Void run" pendingLabel="Voiding…" kind="danger" note={REASON} />
        )}
        {run.state === 'approved' && run.voidRequestedBy === null && (run.isFollowed || run.isHandedOver) && (
          <p className={styles.hint}>
            {run.isHandedOver ? 'A payment of this run was handed over' : 'Another run follows this one'}, so it can’t be voided. Correct it
            with an adjustment.
          </p>
        )}
        {run.state === 'approved' && run.voidRequestedBy === null && !run.isFollowed && !run.isHandedOver && (
          <ActionForm
            action={requestVoidAction}
            about={about}
            label="Request to void"
            pendingLabel="Requesting…"
            kind="danger"
            note={REASON}
          >
            <p className={styles.hint}>
              A second person must confirm.{run.hasFiles && ' Payment files exist: don’t upload them from now on.'}
            </p>
            {run.hasFiles && <NotUploaded what="the files of this run" />}
          </ActionForm>
        )}
        {run.state === 'approved' && run.voidRequestedBy !== null && (
          <>
            {run.voidRequestedBy.id !== id && (
              <PasswordForm
                action={confirmVoidAction}
                about={{ ...about, version: run.version }}
                label="Void run"
                pendingLabel="Voiding…"
                kind="danger"
              >
                {run.hasFiles && <NotUploaded what="the files of this run" />}
              </PasswordForm>
            )}
            <ActionForm action={discardVoidAction} about={{ ...about, version: run.version }} label="Keep run" pendingLabel="Saving…" />
          </>
        )}
      </div>
    </Card>
  );
}
