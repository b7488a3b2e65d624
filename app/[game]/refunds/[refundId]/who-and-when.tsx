import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';

/** Who asked for the refund, who approved it, and when; and who sees it through. */
export function WhoAndWhen({ refund, timeZone }: { refund: RefundDetail; timeZone: string }): ReactElement {
  const { requestedBy, requestedAt, approval, approvedBy, approvedAt, owner } = refund;
  return (
    <>
      Asked for by {requestedBy.name} at <Instant at={requestedAt} timeZone={timeZone} />,{' '}
      {approval !== null && approvedAt !== null && (
        <>
          approved by {approvedBy?.name ?? 'policy'}
          {approval === 'person' && (
            <>
              {' '}
              at <Instant at={approvedAt} timeZone={timeZone} />
            </>
          )}
          ,{' '}
        </>
      )}
      seen through by {owner.name}.
    </>
  );
}
