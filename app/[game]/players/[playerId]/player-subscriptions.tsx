import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatItem } from '#app/[game]/_subscriptions/format-names.ts';
import { PageSteps } from '#app/[game]/_subscriptions/page-steps.tsx';
import type { PlayerSubscription } from '#db/players/reads.ts';
import { type PlayerDetail, SUBSCRIPTIONS_PER_PAGE } from '#lib/players/read-player-detail.ts';
import { formatNoSubscriptions } from '#lib/players/text.ts';
import { nextChargeText, subscriptionStatusText } from '#lib/subscriptions/text.ts';

interface PlayerSubscriptionsProps {
  slug: string;
  playerId: number;
  subscriptions: Extract<PlayerDetail, { kind: 'player' }>['subscriptions'];
  /** How the wallet was read: only a wallet shows that the player exists. */
  wallet: Extract<PlayerDetail, { kind: 'player' }>['balances']['kind'];
  /** Stored subscriptions, for when Invo can't be reached and no list is stored. */
  known: PlayerSubscription[];
  offset: number;
}

/** The player's subscriptions, newest first, page by page. */
export function PlayerSubscriptionsTable(props: PlayerSubscriptionsProps): ReactElement {
  return (
    <section>
      <h2>Subscriptions</h2>
      {'value' in props.subscriptions ? <Listed {...props} list={props.subscriptions.value} /> : <Known {...props} />}
    </section>
  );
}

type List = Extract<PlayerSubscriptionsProps['subscriptions'], { kind: 'live' }>['value'];

function Listed({ slug, playerId, subscriptions, wallet, list, offset }: PlayerSubscriptionsProps & { list: List }): ReactElement {
  const { subscriptions: rows, pagination } = list;
  const steps = (
    <PageSteps
      href={`/${slug}/players/${playerId}`}
      noun="subscriptions"
      offset={offset}
      shown={rows.length}
      total={pagination.total_count}
      pageSize={SUBSCRIPTIONS_PER_PAGE}
    />
  );
  if (rows.length === 0)
    return (
      <>
        <p className={detail.quiet}>
          {pagination.total_count === 0 ? formatNoSubscriptions(subscriptions.kind, wallet) : 'No subscriptions on this page.'}
        </p>
        {steps}
      </>
    );
  return (
    <>
      <TableFrame label="Subscriptions" isLong>
        <thead>
          <tr>
            <th scope="col">Subscription</th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Price, USD
            </th>
            <th scope="col">Access until</th>
            <th scope="col">Next event</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.subscription_id} slug={slug} row={row} />
          ))}
        </tbody>
      </TableFrame>
      {steps}
    </>
  );
}

function Row({ slug, row }: { slug: string; row: List['subscriptions'][number] }): ReactElement {
  const status = subscriptionStatusText(row.status);
  const next = nextChargeText(row.status, row.cancel_at_period_end === true);
  return (
    <tr>
      <th scope="row">
        <Link href={`/${slug}/subscriptions/${encodeURIComponent(row.subscription_id)}`}>{formatItem(row.item_name)}</Link>
        <span className={detail.under}>{row.subscription_id}</span>
      </th>
      <td>
        <Status tone={status.tone} word={status.label} />
      </td>
      <td className="num">
        <Money amount={row.amount_usd} />
      </td>
      <td className={detail.when}>{row.paid_through === null ? 'none' : formatUtc(row.paid_through)}</td>
      <td className={detail.when}>
        {row.next_charge_at === null ? next.none : formatUtc(row.next_charge_at)}
        {row.next_charge_at !== null && <span className={detail.under}>{next.label}</span>}
      </td>
      <td className={detail.when}>{row.created_at === null ? 'not reported' : formatUtc(row.created_at)}</td>
    </tr>
  );
}

function Known({ slug, known }: PlayerSubscriptionsProps): ReactElement {
  if (known.length === 0) return <p className={detail.quiet}>Not read: Invo couldn’t be reached, and no subscriptions are stored.</p>;
  return (
    <TableFrame label="Stored subscriptions">
      <thead>
        <tr>
          <th scope="col">Subscription</th>
          <th scope="col">Last known status</th>
        </tr>
      </thead>
      <tbody>
        {known.map(({ subscriptionId, itemName, status, seenAt }) => (
          <tr key={subscriptionId}>
            <th scope="row">
              <Link href={`/${slug}/subscriptions/${encodeURIComponent(subscriptionId)}`}>
                {itemName === null ? subscriptionId : showControls(itemName)}
              </Link>
              <span className={detail.under}>{subscriptionId}</span>
            </th>
            <td>
              {subscriptionStatusText(status).label}, {formatUtc(seenAt)}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
