import { useEffect, useState } from 'react';
import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import { requestSums } from './row-source.ts';

/** What the selected rows come to in one column, as the server sums it in an order of the list; null: nothing is selected, or it isn’t known yet. */
export function useSelectedSum(
  rowsHref: string,
  { sort, column }: { sort: string; column: string },
  ids: (string | number)[],
): string | null {
  const [known, setKnown] = useState({ ids: '', usd: '' });
  const wanted = ids.join();
  useEffect(() => {
    if (wanted === '') return;
    let isWanted = true;
    requestSums(rowsHref, sort, wanted.split(',')).then(
      ({ [column]: usd }) => {
        if (isWanted && usd !== undefined) setKnown({ ids: wanted, usd: formatUsd(normalizeMoney(usd)) });
      },
      // The number of selected rows is shown alone.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, rowsHref, sort, column]);
  return known.ids === wanted && wanted !== '' ? known.usd : null;
}
