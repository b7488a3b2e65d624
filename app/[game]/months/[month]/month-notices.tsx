import Link from 'next/link';
import type { ReactElement } from 'react';
import { listStatements, type Statement } from '../../../../db/queries/list-statements.ts';
import { negateMoney, signOfMoney, subtractMoney } from '../../../../lib/domain/money.ts';
import { now } from '../../../_server/clock.ts';
import { db } from '../../../_server/wiring.ts';
import { CopyButton } from '../../../_ui/controls/copy-button.tsx';
import { formatAge, formatInstant, formatMonth } from '../../../_ui/figures/format-instant.ts';
import { Money } from '../../../_ui/figures/money.tsx';
import { Notice } from '../../../_ui/words/notice.tsx';
import type { LoadedMonth } from './load-month.ts';
import { PullProgress } from './pull-progress.tsx';

/** What a person must know before reading the figures of a month: work under way, a failure, figures that moved or do not tie. */
export async function MonthNotices({ loaded, mayPull }: { loaded: LoadedMonth; mayPull: boolean }): Promise<ReactElement> {
  const { game, row } = loaded;
  const { pull, snapshot } = row;
  const statements = snapshot === null ? [] : await listStatements(db(), game.gameId, row.window);
  const proofHref = `/${game.slug}/months/${row.month}/proof`;
  return (
    <>
      {row.state === 'pulling' && pull !== null && <PullProgress key={pull.pullId} game={game.slug} first={pull} />}
      {pull?.state === 'failed' && pull.failure !== null && <FailedPull loaded={loaded} failure={pull.failure} mayPull={mayPull} />}
      {snapshot?.standing === 'inconsistent' && (
        <Notice voice="bad" title="These figures do not tie" actions={<Link href={proofHref}>See the checks</Link>}>
          What Invo stated and what its lines add up to differ. Everything that came is kept, nothing was evened out. Pull the month again;
          if it stays so, send Invo the check and its two sides. It cannot be exported as complete.
        </Notice>
      )}
      {snapshot?.standing === 'open' && (
        <Notice voice="wait" title={`Not final: covered until ${formatInstant(snapshot.coveredUntil, 'UTC')} UTC`}>
          {row.state === 'not_to_its_end'
            ? `${formatMonth(row.month)} has ended since. Pull it to its end to have the final figures.`
            : 'Renewals and refunds that settle later still change these figures.'}
        </Notice>
      )}
      <Moved loaded={loaded} statements={statements} proofHref={proofHref} />
    </>
  );
}

function FailedPull({
  loaded,
  failure,
  mayPull,
}: {
  loaded: LoadedMonth;
  failure: { code: string; sentence: string; errorId: string | null };
  mayPull: boolean;
}): ReactElement {
  const { row } = loaded;
  const advice = row.snapshot === null ? '' : ' The figures below are those stored before; they are untouched.';
  return (
    <Notice
      voice="bad"
      title={TITLES[failure.code] ?? `The last pull of ${formatMonth(row.month)} failed`}
      actions={failure.errorId !== null && <CopyButton text={failure.errorId} what="error id" />}
    >
      {failure.sentence}
      {advice}
      {row.pull?.endedAt && ` Failed ${formatAge(row.pull.endedAt, now())}.`}
      {failure.code === 'unauthorized' &&
        mayPull &&
        ' Once Sharebook was started with the right secret, pull the month by its name on the page of all months.'}
    </Notice>
  );
}

const TITLES: Record<string, string> = {
  unauthorized: 'Invo refused the game secret',
  not_live: 'The game is neither live nor in testing at Invo',
};

function Moved({
  loaded,
  statements,
  proofHref,
}: {
  loaded: LoadedMonth;
  statements: Statement[];
  proofHref: string;
}): ReactElement | null {
  const { snapshot, newer } = loaded.row;
  if (snapshot?.standing !== 'complete') return null;
  const other =
    newer === null
      ? statements.find((each) => each.standing === 'complete' && each.snapshotId < snapshot.snapshotId)
      : statements.find((each) => each.snapshotId === newer.snapshotId);
  if (!other) return null;
  const difference =
    newer === null
      ? subtractMoney(snapshot.totals.net_attributed_usd, other.net_attributed_usd)
      : subtractMoney(other.net_attributed_usd, snapshot.totals.net_attributed_usd);
  if (newer === null && signOfMoney(difference) === 0) return null;
  return (
    <Notice
      voice={newer === null ? 'wait' : 'bad'}
      title={newer === null ? 'Invo’s figures of this month moved' : 'A newer pull does not tie; the figures shown are the proven ones'}
      actions={<Link href={proofHref}>Compare the statements</Link>}
    >
      Snapshot {other.snapshotId} of {formatInstant(other.createdAt, 'UTC')} UTC says: earned{' '}
      <Money amount={other.gross_attributed_usd} size="fact" />, reversed{' '}
      <Money amount={negateMoney(other.reversed_attributed_usd)} size="fact" />, net <Money amount={other.net_attributed_usd} size="fact" />
      . {newer === null ? 'This one is' : 'It is'} <Money amount={difference} size="fact" /> USD against{' '}
      {newer === null ? 'that' : `snapshot ${snapshot.snapshotId}, which is shown`}.
    </Notice>
  );
}
