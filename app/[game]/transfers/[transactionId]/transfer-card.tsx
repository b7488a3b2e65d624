import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AllFields, FieldTree } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { Coins, type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { ReadLine } from '#app/[game]/_subscriptions/read-notices.tsx';
import { ExactNumber } from '#lib/core/exact-json.ts';
import type { ApprovalReading, TransferReading } from '#lib/invo/routes/transfers.ts';
import type { AnswerTree } from '#lib/invo/shapes/lenient.ts';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import { guardianText, transferStateText } from '#lib/transfers/text.ts';
import type { EventAbout } from '#lib/webhooks/find-events-about.ts';

interface TransferCardProps {
  read: { kind: string; readAt: string; value: TransferReading };
  approval: Detail<ApprovalReading>;
  events: EventAbout[];
  timeZone: string;
}

/** One transfer: what its state means, both status fields, and the amounts under Invo's names with nothing computed. */
export function TransferCard({ read, approval, events, timeZone }: TransferCardProps): ReactElement {
  const transfer = read.value;
  const state = transferStateText(transfer.verification_state, transfer.transaction_status, events);
  return (
    <Card
      title={transfer.isDestination ? 'Into this game' : 'Out of this game'}
      aside={<Status tone={state.tone} word={showControls(state.label)} />}
    >
      <p className={detail.sentence}>{state.sentence}</p>
      <ReadLine detail={read} timeZone={timeZone} />
      <div className={detail.facts}>
        <InvoFacts facts={factsOf(transfer, timeZone)} />
      </div>
      <Guardian approval={approval} />
      {feesOf(transfer.tree).map(([name, value]) => (
        <div key={name} className={detail.facts}>
          <p className={detail.label}>
            <code>{name}</code>
          </p>
          <FieldTree value={value} />
        </div>
      ))}
      <AllFields tree={transfer.tree} />
    </Card>
  );
}

function factsOf(transfer: TransferReading, timeZone: string): InvoFact[] {
  const word = (text: string | null): ReactElement | null => (text === null ? null : <code>{showControls(text)}</code>);
  const coins = (field: 'amount' | 'net_amount'): ReactElement => (
    <Coins amount={transfer[field]} currency="" isUnreadable={transfer.unreadable.includes(field)} />
  );
  return [
    { label: 'Amount', field: 'amount', value: coins('amount') },
    { label: 'Net amount', field: 'net_amount', value: coins('net_amount') },
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
            value: receiverOf(transfer),
            isWide: true as const,
          },
        ]
      : []),
  ];
}

function receiverOf({ sharesNumber, toIdentityId }: TransferReading): string | null {
  if (sharesNumber) return 'Several players share this number';
  return toIdentityId === null ? null : showControls(toIdentityId);
}

/** The guardian's answer, where one is asked; nobody's age is stated. */
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

// Their form isn't documented on transfers: shown as they came.
function feesOf(tree: AnswerTree): [string, AnswerTree][] {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree) || tree instanceof ExactNumber) return [];
  return ['fees_preview', 'fee_breakdown', 'transfer_policy'].flatMap((name): [string, AnswerTree][] => {
    const value = tree[name];
    return value === undefined ? [] : [[name, value]];
  });
}
