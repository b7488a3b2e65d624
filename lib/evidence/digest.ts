import { createHash } from 'node:crypto';
import { toMicroseconds } from '../core/instant.ts';
import { normalizeMoney } from '../core/money.ts';
import type { Window } from '../core/window.ts';
import type { ChainLink } from './rules/chain-head.ts';
import { COARSE_BASIS, type Identity, type Recipient, type RenewalLine, type ReversalLine, type SliceEvidence } from './rules/evidence.ts';
import { type JoinedTotals, TOTAL_NAMES, writeReasons } from './rules/totals.ts';

type Field = string | number | boolean | null;

/**
 * SHA-256 over the money facts of a slice. What Invo may change later for a closed window (status, refund to date, latest refund,
 * revenue net of reversal, names, emails, when the report was made) is stored elsewhere and isn't included.
 */
export function digestSlice({ window, totals, recipients, renewals, reversals }: SliceEvidence): Buffer {
  const hash = createHash('sha256');
  feed(hash, ['slice', instant(window.start), instant(window.end)]);
  feed(hash, totalsFields(totals));
  for (const each of recipients.toSorted((a, b) => a.recipient_player_id - b.recipient_player_id)) feed(hash, recipientFields(each));
  for (const line of renewals.toSorted((a, b) => a.period_id - b.period_id)) feed(hash, renewalFields(line));
  for (const line of reversals.toSorted((a, b) => a.period_id - b.period_id)) feed(hash, reversalFields(line));
  return hash.digest();
}

/**
 * SHA-256 over the facts of a snapshot: window, digests of its slices in order, control totals. Two snapshots of the same facts have the
 * same one, whatever the current names of their recipients.
 */
export function digestFacts(window: Window, sliceDigests: Buffer[], control: JoinedTotals): Buffer {
  return digestSnapshot(null, window, sliceDigests, control);
}

/** The digest of a link of version 1, as in snapshots stored before version 2: previous digest, window, digests of its slices in order, control totals. */
export function digestSnapshot(previous: Buffer | null, window: Window, sliceDigests: Buffer[], control: JoinedTotals): Buffer {
  const hash = createHash('sha256');
  feed(hash, ['snapshot', previous?.toString('hex') ?? null, instant(window.start), instant(window.end)]);
  feed(
    hash,
    sliceDigests.map((digest) => digest.toString('hex')),
  );
  feed(hash, totalsFields(control));
  return hash.digest();
}

/** The digest of a link of version 2: its position and times, its facts, every raw response, and who its recipients are. */
export function digestLink(link: ChainLink): Buffer {
  const hash = createHash('sha256');
  feed(hash, ['snapshot', 2, link.position, link.previous?.toString('hex') ?? null]);
  feed(hash, [link.created_at, link.window.start, link.window.end, link.covered_until].map(instant));
  feed(hash, [link.generated_at, link.status, link.facts.toString('hex')]);
  for (const { slice, purpose, request, status, received_at, inflated_byte_count, sha256 } of link.responses)
    feed(hash, ['response', slice, purpose, request, status, instant(received_at), inflated_byte_count, sha256.toString('hex')]);
  for (const { recipient_player_id, resolved, digest } of link.recipients.toSorted((a, b) => a.recipient_player_id - b.recipient_player_id))
    feed(hash, ['recipient', recipient_player_id, resolved, digest?.toString('hex') ?? null]);
  return hash.digest();
}

/** SHA-256 over a recipient's salt and what names the person: without the salt it can't be found by trying names. */
export function digestIdentity(
  salt: Buffer,
  { recipient_player_id, player_email, player_name, identity_id }: Pick<Recipient, 'recipient_player_id' | keyof Identity>,
): Buffer {
  const hash = createHash('sha256');
  feed(hash, ['identity', salt.toString('hex'), recipient_player_id, player_email, player_name, identity_id]);
  return hash.digest();
}

/** Each field is hashed with its type and its length, so that no two lists of fields have the same bytes. */
function feed(hash: ReturnType<typeof createHash>, fields: Field[]): void {
  const parts = fields.map((field) => (field === null ? 'n0:' : `${(typeof field)[0]}${Buffer.byteLength(String(field))}:${field}`));
  hash.update(`${parts.length}[${parts.join(',')}]`);
}

function totalsFields(totals: JoinedTotals): Field[] {
  return TOTAL_NAMES.map((name) => {
    if (name === 'unattributed_reasons') return writeReasons(totals[name]);
    const value = totals[name];
    return typeof value === 'string' ? amount(value) : value;
  });
}

function recipientFields(recipient: Recipient): Field[] {
  const { gross_attributed_usd, reversed_attributed_usd, net_attributed_usd } = recipient;
  const amounts = [gross_attributed_usd, reversed_attributed_usd, net_attributed_usd].map(amount);
  return [
    'recipient',
    recipient.recipient_player_id,
    recipient.renewal_count,
    recipient.reversal_count,
    recipient.subscription_count,
    ...amounts,
  ];
}

function renewalFields(line: RenewalLine): Field[] {
  return [
    'renewal',
    line.period_id,
    line.recipient_player_id,
    line.subscription_id,
    line.period_seq,
    instant(line.paid_at),
    amount(line.amount_usd),
    amount(line.invo_fee_usd),
    amount(line.partner_revenue_settled_usd),
    line.percent_at_renewal,
    amount(line.base_usd),
    amount(line.attributed_amount_usd),
    line.rail,
    amount(line.amount_coins),
    amount(line.balance_applied_coins),
    amount(line.card_charged_usd),
    amount(line.pcstore_charged_usd),
    line.transaction_id,
  ];
}

function reversalFields(line: ReversalLine): Field[] {
  const isCoarse = line.reversal_basis === COARSE_BASIS;
  const events = (isCoarse ? [] : line.refund_events).flatMap((event) => [
    instant(event.refunded_at),
    amount(event.refunded_amount_usd),
    amount(event.cumulative_refunded_after_usd),
    amount(event.reversed_attributed_usd),
    amount(event.partner_revenue_reversed_usd),
    event.is_full_refund,
  ]);
  return [
    'reversal',
    line.period_id,
    line.recipient_player_id,
    line.subscription_id,
    instant(line.paid_at),
    isCoarse ? 'coarse' : 'exact',
    amount(line.originally_attributed_usd),
    amount(line.reversed_attributed_usd),
    amount(line.partner_revenue_reversed_usd),
    ...events,
  ];
}

/** 1.5 and 1.50 are one amount, and so is -0. */
function amount(text: string | null): Field {
  return text === null ? null : normalizeMoney(text);
}

/** 00:00:00Z and 00:00:00.000Z are one instant. */
function instant(text: string): Field {
  return toMicroseconds(text).toString();
}
