import Link from 'next/link';
import type { ReactElement } from 'react';
import { db } from '#app/_server/wiring.ts';
import { tellInstants } from '#app/_ui/figures/tell-instants.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { listChecks, type StoredCheck } from '#db/evidence/reads/snapshots.ts';
import { wordsOfCheck } from '../check-words.ts';
import { formatSide } from '../format-side.ts';

/** Checks named in the notice; the proof has them all. */
const CHECKS_NAMED = 3;

/** Figures that contradict themselves: which equations, both sides of each, the exact difference, and what to do. */
export async function FiguresDoNotTie({
  gameId,
  snapshotId,
  proofHref,
}: {
  gameId: number;
  snapshotId: number;
  proofHref: string;
}): Promise<ReactElement> {
  const broken = (await listChecks(db(), gameId, snapshotId)).filter((check) => !check.ok && check.severity === 'hard');
  return (
    <Notice voice="bad" title="These figures do not tie" actions={<Link href={proofHref}>See the checks</Link>}>
      {broken.slice(0, CHECKS_NAMED).map(describe).join(' ')}
      {broken.length > CHECKS_NAMED && ` And ${broken.length - CHECKS_NAMED} more.`} Everything that came is kept, nothing was evened out.
      Pull the month again; if it stays so, send Invo the check and its two sides. It cannot be exported as complete.
    </Notice>
  );
}

function describe({ name, expected, actual, difference, offenders }: StoredCheck): string {
  const words = wordsOfCheck(name);
  const [first] = offenders;
  const sides = `${words.expected} ${formatSide(expected)}, ${words.actual} ${formatSide(actual)}`;
  return `“${words.title}” does not hold: ${sides}${difference === null ? '' : `, a difference of ${formatSide(difference)}`}${first ? ` (first at ${tellInstants(first.subject)})` : ''}.`;
}
