import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AllFields, FieldTree } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { Coins, type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { ReadLine } from '#app/[game]/_subscriptions/read-notices.tsx';
import { ExactNumber } from '#lib/core/exact-json.ts';
import type { ApprovalReading, TransferReading } from '#lib/invo/routes/transfers.ts';
import type { AnswerTree } from '#lib/invo/shapes/answer-tree.ts';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import { parseGuardianState } from '#lib/transfers/rules/transfer-state.ts';
import { type GuardianRequest, guardianText, transferStateText, wordOfTransfer } from '#lib/transfers/text.ts';
import type { EventAbout } from '#lib/webhooks/find-deliveries.ts';

interface TransferCardProps {
  read: { kind: string; readAt: string; value: TransferReading };
  approval: Detail<ApprovalReading>;
  events: EventAbout[];
  /** The players of this game whose identity receives it. */
  receivers: { playerId: number; name: string | null }[];
  game: { slug: string; timeZone: string };
}

/** One transfer: what its state means, both status fields, and the amounts under Invo's names with nothing computed. */
export function TransferCard({ read, approval, events, receivers, game }: TransferCardProps): ReactElement {
  const { slug, timeZone } = game;
  const transfer = read.value;
  const state = transferStateText(transfer.verification_state, transfer.transaction_status, events, guardianRequest(approval));
  return (
    <Card
      title={transfer.isDestination ? 'Into this game' : 'Out of this game'}
      aside={<Status tone={state.tone} word={showControls(state.label)} />}
    >
      <p className={detail.sentence}>{state.sentence}</p>
      <ReadLine detail={read} timeZone={timeZone} />
      <div className={detail.facts}>
        <InvoFacts facts={factsOf(transfer, timeZone, <Receiver transfer={transfer} receivers={receivers} slug={slug} />)} />
      </div>
      <Guardian approval={approval} />
      {feesOf(transfer.tree).map(([name, value]) => (
        <div key={name} className={detail.facts}>
          <p className={detail.label}>{FEES_TEXT[name]}</p>
          <FieldTree value={value} labels={FIELD_TEXT} />
        </div>
      ))}
      <AllFields tree={transfer.tree} />
    </Card>
  );
}

function guardianRequest(approval: Detail<ApprovalReading>): GuardianRequest {
  if (approval.kind === 'not_found') return 'none';
  return 'value' in approval ? (parseGuardianState(approval.value.state) ?? 'unknown') : 'unknown';
}

function factsOf(transfer: TransferReading, timeZone: string, receiver: ReactElement): InvoFact[] {
  const word = (text: string | null): ReactNode => (text === null ? null : (wordOfTransfer(text) ?? <code>{showControls(text)}</code>));
  const coins = (field: 'amount' | 'net_amount'): ReactElement => (
    <Coins amount={transfer[field]} currency="" isUnreadable={transfer.unreadable.includes(field)} />
  );
  return [
    { label: 'Amount', field: 'amount', value: coins('amount') },
    { label: 'After fees', field: 'net_amount', value: coins('net_amount') },
    { label: 'Transaction status', field: 'transaction_status', value: word(transfer.transaction_status) },
    { label: 'Verification state', field: 'verification_state', value: word(transfer.verification_state) },
    {
      label: 'Collect by',
      field: 'claim_info.claim_code_expires_at',
      value: transfer.claimCodeExpiresAt === null ? null : <Instant at={transfer.claimCodeExpiresAt} timeZone={timeZone} />,
    },
    ...(transfer.isDestination
      ? [
          { label: 'Receiver’s phone', field: 'to_phone', value: transfer.toPhone },
          {
            label: 'Receiver’s identity',
            field: 'to_identity_id',
            value: transfer.sharesNumber || transfer.toIdentityId !== null ? receiver : null,
            isWide: true as const,
          },
        ]
      : []),
  ];
}

/** The identity that receives a transfer, with the players known under it; one that isn't anybody's own leads nowhere. */
function Receiver({
  transfer: { sharesNumber, toIdentityId },
  receivers,
  slug,
}: {
  transfer: TransferReading;
  receivers: TransferCardProps['receivers'];
  slug: string;
}): ReactElement {
  if (sharesNumber) return <>Several players share this number</>;
  return (
    <>
      {showControls(toIdentityId ?? '')}
      {receivers.map(({ playerId, name }) => (
        <span key={playerId} className={detail.under}>
          <Link href={`/${slug}/players/${playerId}`}>{formatPlayer(name, playerId)}</Link>
        </span>
      ))}
    </>
  );
}

/** The guardian's answer, where one is needed; nobody's age is stated. */
function Guardian({ approval }: { approval: Detail<ApprovalReading> }): ReactElement | null {
  if (!('value' in approval)) return null;
  const text = guardianText(approval.value.state);
  return (
    <div className={detail.facts}>
      <p className={detail.label}>Guardian</p>
      <Status tone={text.tone} word={showControls(text.label)} />
      <p className={detail.quiet}>{text.sentence}</p>
      <AllFields tree={approval.value.tree} title="All fields of the approval" />
    </div>
  );
}

const FEES_FIELDS = ['fees_preview', 'fee_breakdown', 'transfer_policy'] as const;

/** What the parts of a transfer that have fields of their own are called. */
const FEES_TEXT = { fees_preview: 'Fees', fee_breakdown: 'Fees charged', transfer_policy: 'Transfer policy' } as const;

/** What their fields are called, where document 3 names them. */
const FIELD_TEXT: Readonly<Record<string, string>> = {
  total_fee: 'Total fee',
  source_rate_pct: 'Rate of the sending game (%)',
  target_rate_pct: 'Rate of the receiving game (%)',
  sending_game_fee: 'Sending game’s fee',
  receiving_game_fee: 'Receiving game’s fee',
  platform_fee: 'Invo’s fee',
  net_amount: 'After fees',
  source_universal_transfers: 'Sending game transfers to any game',
  policy_applied: 'Policy applied',
  target_in_linked_list: 'Receiving game is linked',
};

// Their form isn't documented on transfers: shown as they came.
function feesOf(tree: AnswerTree): [keyof typeof FEES_TEXT, AnswerTree][] {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree) || tree instanceof ExactNumber) return [];
  return FEES_FIELDS.flatMap((name): [keyof typeof FEES_TEXT, AnswerTree][] => {
    const value = tree[name];
    return value === undefined ? [] : [[name, value]];
  });
}
