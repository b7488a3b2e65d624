import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AllFields, RecordLink, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { Coins } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { InboundRow } from '#lib/invo/undocumented/inbound-transfers.ts';
import type { KnownTransfer } from '#lib/transfers/reads.ts';
import { NO_STATUS, NO_TRANSFERS_KNOWN, transferStateText } from '#lib/transfers/text.ts';
import type { KnownSubject } from '#lib/webhooks/reads/deliveries-about.ts';

// Values of one row: a page has many rows.
const ROW_VALUES = 50;

interface InboundRowsProps {
  slug: string;
  rows: InboundRow[] | null;
  /** What is shown where there is no row. */
  empty?: string;
}

/** The transfers that wait to be collected: what could be found by name, and every field of the row beside it. */
export function InboundRows({ slug, rows, empty = 'None.' }: InboundRowsProps): ReactElement {
  if (rows === null) return <p className={detail.quiet}>Sharebook doesn’t recognize this response format. The full response is below.</p>;
  if (rows.length === 0) return <p className={detail.quiet}>{empty}</p>;
  return (
    <SimpleTable
      label="Waiting to be collected"
      isLong
      rows={rows.slice(0, ROWS_SHOWN).map((row, index) => ({ ...row, at: index }))}
      keyOf={({ at }) => at}
      columns={[
        {
          label: 'Transfer',
          cell: ({ transactionId }) =>
            transactionId === null ? (
              <span className={detail.missing}>no ID found</span>
            ) : (
              <RecordLink pages={`/${slug}/transfers`} id={transactionId} />
            ),
        },
        {
          label: 'Amounts',
          isFigure: true,
          cell: ({ amounts, unreadable, currencyName }) =>
            amounts.length + unreadable.length === 0 ? (
              <span className={detail.missing}>no amount found</span>
            ) : (
              <>
                {amounts.map(({ field, amount }) => (
                  <span key={field} className={detail.coins}>
                    {formatMoney(amount)} {currencyName !== null && <bdi>{showControls(currencyName)}</bdi>}
                    <code className={detail.under}>{field}</code>
                  </span>
                ))}
                {unreadable.map((field) => (
                  <span key={field} className={detail.missing}>
                    not readable <code className={detail.under}>{field}</code>
                  </span>
                ))}
              </>
            ),
        },
        {
          label: 'Collect by',
          isWideOnly: true,
          cell: ({ expiresAt }) => <span className={detail.when}>{expiresAt === null ? 'not reported' : formatUtc(expiresAt)}</span>,
        },
        { label: 'Fields', cell: ({ fields }) => <AllFields tree={fields} max={ROW_VALUES} /> },
      ]}
    />
  );
}

interface Row {
  transactionId: string;
  read: KnownTransfer | null;
  /** What is shown for a missing fact. */
  missing: 'not read' | 'not reported';
  source: string;
}

interface KnownTransfersProps {
  slug: string;
  read: KnownTransfer[];
  named: KnownSubject[];
  /** Rows shown; left out: all. */
  most?: number;
  isInset?: boolean;
}

/** The transfers Sharebook knows, each once: as it was read, else by the webhook that named it. */
export function KnownTransfers({ slug, read, named, most, isInset = false }: KnownTransfersProps): ReactElement {
  const byId = new Map(
    named.map(({ idText, eventType, receivedAt, readOutcome }): [string, Row] => [
      idText,
      {
        transactionId: idText,
        read: null,
        missing: readOutcome === 'not_found' ? 'not reported' : 'not read',
        source: `webhook ${eventType ?? ''} at ${formatUtc(receivedAt)}`,
      },
    ]),
  );
  for (const each of read)
    byId.set(each.transactionId, {
      transactionId: each.transactionId,
      read: each,
      missing: 'not reported',
      source: `read at ${formatUtc(each.readAt)}`,
    });
  const rows = [...byId.values()].slice(0, most);
  if (rows.length === 0) return <p className={detail.quiet}>{NO_TRANSFERS_KNOWN}</p>;
  return (
    <SimpleTable
      label="Transfers known to Sharebook"
      isLong={!isInset}
      isInset={isInset}
      rows={rows}
      keyOf={({ transactionId }) => transactionId}
      columns={[
        {
          label: 'Transfer',
          cell: ({ transactionId, read: each }) => (
            <>
              <RecordLink pages={`/${slug}/transfers`} id={transactionId} />
              {each !== null && <span className={detail.under}>{each.isDestination ? 'Into this game' : 'Out of this game'}</span>}
            </>
          ),
        },
        {
          label: 'State',
          cell: ({ read: each, missing, source }) => {
            const text = each === null ? null : transferStateText(each.verification_state, each.transaction_status);
            return (
              <>
                {text === null ? (
                  <span className={detail.missing}>{missing === 'not read' ? missing : NO_STATUS}</span>
                ) : (
                  <Status tone={text.tone} word={showControls(text.label)} />
                )}
                <span className={detail.under}>{source}</span>
              </>
            );
          },
        },
        { label: 'Amount', isFigure: true, cell: ({ read: each, missing }) => <Amount amount={each?.amount} missing={missing} /> },
        {
          label: 'Net amount',
          isFigure: true,
          isWideOnly: true,
          cell: ({ read: each, missing }) => <Amount amount={each?.net_amount} missing={missing} />,
        },
        {
          label: 'Collect by',
          isWideOnly: true,
          cell: ({ read: each, missing }) => (
            <span className={detail.when}>
              {each?.claimExpiresAt ? formatUtc(each.claimExpiresAt) : <span className={detail.missing}>{missing}</span>}
            </span>
          ),
        },
      ]}
    />
  );
}

/** An amount as it was stored. Null: Invo reported none, or none that could be read. Undefined: the transfer has no stored answer. */
function Amount({ amount, missing }: { amount: string | null | undefined; missing: Row['missing'] }): ReactElement {
  if (amount) return <Coins amount={amount} currency="" />;
  return <span className={detail.missing}>{amount === undefined ? missing : 'not stored'}</span>;
}
