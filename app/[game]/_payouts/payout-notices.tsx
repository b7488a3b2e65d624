import type { ReactElement } from 'react';
import { resumePayoutsAction } from '#app/_pauses/actions.ts';
import { formatResumeFor, ResumeForm } from '#app/_pauses/resume-form.tsx';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { countForBadges } from '#app/_shell/badge-count.ts';
import { countNoun, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { AccountRefusal } from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { findPayoutPause } from '#lib/payouts/reads/payout-pause.ts';
import type { MissingFile } from '#lib/payouts/rules/missing-run.ts';

interface PayoutPauseProps {
  game: Game;
  person: Pick<Person, 'id' | 'may'>;
}

/** On the pages about payouts while they are paused: what happened, which runs are missing, and how payouts resume. Nothing when they aren't paused. */
export async function PayoutPauseNotice({ game, person }: PayoutPauseProps): Promise<ReactElement | null> {
  // Read with the badges: a pause is rare, and every page about payouts needs it.
  const { arePayoutsPaused } = await countForBadges(game, person);
  const pause = arePayoutsPaused ? await findPayoutPause(db(), game.gameId) : null;
  if (pause === null) return null;
  const { happened, next } = formatPayoutPause(pause.missing?.length ?? null);
  const resumption = { what: 'payouts', person, pause } as const;
  return (
    <Notice
      voice="bad"
      title={`Payouts for ${game.name} are paused`}
      actions={<ResumeForm slug={game.slug} {...resumption} action={resumePayoutsAction} />}
    >
      <p>{happened}</p>
      {pause.missing !== null && pause.missing.length > 0 && (
        <ul>
          {pause.missing.map(({ runNo, window, payable_usd, approvedAt, contentDigest }) => (
            <li key={contentDigest}>
              Run {runNo}, {formatMonth(monthOf(window.start, game.timeZone))}: {formatUsd(payable_usd)} payable, approved{' '}
              {formatUtc(approvedAt)}, digest {contentDigest.slice(0, 12)}…
            </li>
          ))}
        </ul>
      )}
      <LostFiles files={pause.missingFiles ?? []} isUnknown={pause.missingFiles === null} />
      <p>
        {next} {formatResumeFor(resumption)}
      </p>
    </Notice>
  );
}

interface LostFilesProps {
  files: readonly MissingFile[];
  /** Nothing knows which files were made after a backup. */
  isUnknown: boolean;
}

/** The payment files that a restore lost, or may have lost: what they pay may have been paid. Nothing when none is missing. */
export function LostFiles({ files, isUnknown }: LostFilesProps): ReactElement | null {
  if (files.length === 0 && !isUnknown) return null;
  return (
    <>
      <p>
        {files.length > 0 && (files.length === 1 ? '1 payment file is missing. ' : `${files.length} payment files are missing. `)}
        {isUnknown && 'Sharebook doesn’t know which payment files were created after the backup. Some may be missing. '}
        Your bank or provider may have paid them. Ask them, and record each payment they made as paid elsewhere before you create files
        again.
      </p>
      <ul>
        {files.map(({ messageId, fileName, payments, total_usd, madeAt }) => (
          <li key={messageId}>
            {fileName ?? 'Paid elsewhere'}: {countNoun(payments, 'payment')}, {formatUsd(total_usd)}, created {formatUtc(madeAt)}, batch ID{' '}
            {messageId}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a pause of payouts means; `missing`: how many approved runs are missing; null: nothing knows. */
function formatPayoutPause(missing: number | null): { happened: string; next: string } {
  const safe =
    'Stored runs, statements and journals are unchanged. No run can be started, submitted, approved or closed, no payment file created, downloaded or handed over, and no bank report added.';
  if (missing === null)
    return {
      happened: `The database was restored from a backup. Sharebook doesn’t know whether runs approved after the backup are missing. ${safe}`,
      next: 'Compare the runs with your exports and payments. If one is missing, restore a newer backup if there is one.',
    };
  if (missing === 0)
    return {
      happened: `The database was restored from a backup. Every approved run that Sharebook knows of is here. A run approved in the last minute before the database was lost may be missing. ${safe}`,
      next: 'Compare the newest run with your exports and payments.',
    };
  const runs = missing === 1 ? '1 approved run is' : `${missing} approved runs are`;
  return {
    happened: `The database was restored from a backup, and ${runs} missing. ${safe}`,
    next: 'Restore a newer backup if there is one. Otherwise draft each month again after payouts resume, compare it with your exports, and don’t pay what you have paid.',
  };
}

/** What a person may do with payments, files and reports of a game now. */
export interface PaymentRights {
  personId: string;
  prepare: boolean;
  approve: boolean;
}

/** Nothing while payouts are paused or while the account of the person doesn’t count: a notice of the page says why. */
export async function findPaymentRights(game: Game, person: Person): Promise<PaymentRights> {
  const { arePayoutsPaused } = await countForBadges(game, person);
  const counts = person.accountRefusal === null && !arePayoutsPaused;
  return { personId: person.id, prepare: counts && person.may('payouts.prepare'), approve: counts && person.may('payouts.approve') };
}

/** Says why a person who has the right can’t act here as one of two people; nothing when they can. */
export function AccountNotice({ refusal }: { refusal: AccountRefusal | null }): ReactElement | null {
  return refusal === null ? null : (
    <Notice voice="wait" title="Your account doesn’t count yet">
      {ACCOUNT_TEXT[refusal]}
    </Notice>
  );
}
