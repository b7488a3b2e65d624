import Link from 'next/link';
import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/clock.ts';
import { db } from '#app/_server/wiring.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { countNoun } from '#app/_ui/figures/format-count.ts';
import { formatAge, formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';
import { listSnapshots, type SnapshotSummary } from '#db/evidence/reads/snapshots.ts';
import { compareMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { loadDrift } from '../load-drift.ts';
import type { LoadedMonth } from '../load-month.ts';
import { FiguresDoNotTie } from './not-tying.tsx';
import { PullProgress } from './pull-progress.tsx';

/** What a person must know before reading the figures of a month: work under way, a failure, figures that moved or do not tie. */
export async function MonthNotices({ loaded, mayPull }: { loaded: LoadedMonth; mayPull: boolean }): Promise<ReactElement> {
  const { game, row } = loaded;
  const { pull, snapshot } = row;
  const statements = row.newer === null ? [] : await listSnapshots(db(), game.gameId, row.window);
  const newer = statements.find((each) => each.snapshotId === row.newer?.snapshotId);
  const proofHref = `/${game.slug}/months/${row.month}/proof`;
  return (
    <>
      {row.state === 'pulling' && pull !== null && <PullProgress key={pull.pullId} game={game.slug} first={pull} />}
      {pull?.state === 'failed' && pull.failure !== null && <FailedPull loaded={loaded} failure={pull.failure} mayPull={mayPull} />}
      {snapshot?.status === 'inconsistent' && (
        <FiguresDoNotTie gameId={game.gameId} snapshotId={snapshot.snapshotId} proofHref={proofHref} />
      )}
      {snapshot?.status === 'open' && (
        <Notice voice="wait" title={`Not final: covered until ${formatUtc(snapshot.coveredUntil)}`}>
          {row.state === 'not_to_its_end'
            ? `${formatMonth(row.month)} has ended since. Pull it to its end to have the final figures.`
            : 'Renewals and refunds that settle later still change these figures.'}
        </Notice>
      )}
      {snapshot !== null && newer !== undefined && <NotTying snapshot={snapshot} newer={newer} href={proofHref} />}
      <Drifted slug={game.slug} month={row.month} href={`${proofHref}#drift`} />
    </>
  );
}

async function FailedPull({
  loaded,
  failure,
  mayPull,
}: {
  loaded: LoadedMonth;
  failure: { code: string; sentence: string; errorId: string | null };
  mayPull: boolean;
}): Promise<ReactElement> {
  const { row } = loaded;
  const advice = row.snapshot === null ? '' : ' The figures below are those stored before; they are untouched.';
  const title = TITLES[failure.code] ?? `The last pull of ${formatMonth(row.month)} failed`;
  return (
    <Notice voice="bad" title={title} actions={failure.errorId !== null && <CopyButton text={failure.errorId} what="error id" />}>
      {withoutTitle(failure.sentence, title)}
      {advice}
      {row.pull?.endedAt && ` Failed ${formatAge(row.pull.endedAt, await storedNow())}.`}
      {failure.code === 'unauthorized' &&
        mayPull &&
        ' Once Sharebook was started with the right secret, pull the month by its name on the page of all months.'}
    </Notice>
  );
}

/** What a sentence says beyond a title it begins with. */
function withoutTitle(sentence: string, title: string): string {
  const rest = sentence.startsWith(`${title}: `) ? sentence.slice(title.length + 2) : sentence;
  return `${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`;
}

const TITLES: Record<string, string> = {
  unauthorized: 'Invo refused the game secret',
  not_live: 'The game is neither live nor in testing at Invo',
};

async function Drifted({ slug, month, href }: { slug: string; month: string; href: string }): Promise<ReactElement | null> {
  const drift = await loadDrift(slug, month);
  if (drift === null) return null;
  const moved = drift.figures.filter((figure) => compareMoney(figure.before, figure.after) !== 0);
  const net = drift.figures.find((figure) => figure.name === 'net_attributed_usd');
  return (
    <Notice
      voice="wait"
      title={`Invo’s figures moved since snapshot ${drift.before.snapshotId}`}
      actions={<Link href={href}>See what moved</Link>}
    >
      {net !== undefined && (
        <>
          Net was <Money amount={net.before} size="fact" /> and is <Money amount={net.after} size="fact" /> USD, a difference of{' '}
          <Money amount={subtractMoney(net.after, net.before)} size="fact" />.{' '}
        </>
      )}
      {moved.length === 0 ? 'No total moved' : `${countNoun(moved.length, 'total')} moved`},{' '}
      {countNoun(drift.recipientCount, 'recipient has', 'recipients have')} another net. The earlier statement of{' '}
      {formatUtc(drift.before.createdAt)} is kept unchanged.
    </Notice>
  );
}

/** A pull after the statement shown that does not tie: its figures beside, never in place of, the proven ones. */
function NotTying({ snapshot, newer, href }: { snapshot: SnapshotFacts; newer: SnapshotSummary; href: string }): ReactElement {
  const moved = SAID.map(({ word, name }) => ({
    word,
    amount: newer[name],
    difference: subtractMoney(newer[name], snapshot.totals[name]),
  })).filter(({ difference }) => signOfMoney(difference) !== 0);
  return (
    <Notice
      voice="bad"
      title="A newer pull does not tie; the figures shown are the proven ones"
      actions={<Link href={href}>Compare the statements</Link>}
    >
      {moved.length === 0 ? (
        <>The totals of snapshot {newer.snapshotId} are those shown; what its lines add up to is not. </>
      ) : (
        moved.map(({ word, amount, difference }) => (
          <span key={word}>
            {word} is <Money amount={amount} size="fact" /> in snapshot {newer.snapshotId}, <Money amount={difference} size="fact" /> USD
            against the one shown.{' '}
          </span>
        ))
      )}
      It was pulled {formatUtc(newer.createdAt)} and is kept; snapshot {snapshot.snapshotId} stays the one to pay and export by.
    </Notice>
  );
}

const SAID = [
  { word: 'Earned', name: 'gross_attributed_usd' },
  { word: 'Reversed', name: 'reversed_attributed_usd' },
  { word: 'Net', name: 'net_attributed_usd' },
] as const;
