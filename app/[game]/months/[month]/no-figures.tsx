import type { ReactElement } from 'react';
import { formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { askFor } from '../_asking/ask-for.ts';
import { PullButton } from '../_asking/pull-button.tsx';
import type { LoadedMonth } from './load-month.ts';

/** A month without figures: why, and what to do. */
export function NoFigures({ loaded, mayPull }: { loaded: LoadedMonth; mayPull: boolean }): ReactElement {
  const { game, row } = loaded;
  const name = formatMonth(row.month);
  const ask = askFor(row);
  if (row.state === 'not_begun') {
    return (
      <EmptyState title={`${name} has not begun`}>It begins on {formatUtc(row.window.start)}; there is nothing to pull before.</EmptyState>
    );
  }
  if (row.state === 'pulling')
    return (
      <EmptyState title={`${name} is being pulled`}>Its figures appear here once every line is in and the checks were made.</EmptyState>
    );
  return (
    <EmptyState
      title={row.state === 'failed' ? `There are no figures of ${name} yet` : `${name} was never pulled`}
      action={
        mayPull &&
        ask !== null && (
          <PullButton game={game.slug} month={row.month} isFresh={false} word={row.state === 'failed' ? ask.word : `${ask.word} ${name}`} />
        )
      }
    >
      {explain(row.pull?.failure?.code === 'unauthorized', mayPull)}
    </EmptyState>
  );
}

function explain(isSecretWrong: boolean, mayPull: boolean): string {
  if (isSecretWrong) return 'Nothing was stored.';
  if (!mayPull) return 'Somebody with the role finance or admin can pull it.';
  return 'Pulling asks Invo for every renewal and every refund of the month, keeps the answers as evidence and proves the totals. It changes nothing at Invo.';
}
