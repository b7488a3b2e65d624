import type { AttentionReason } from '#lib/refunds/rules/state.ts';

const REASONS: Record<AttentionReason, string> = {
  invo_asks_for_a_person: 'Invo’s answer leaves open what became of it: people have to find out.',
  receipt_contradicts:
    'Invo answered with a receipt that is not of this refund (another period, amount or key), or whose figures do not add up.',
  receipt_of_another: 'Invo answered with the receipt of another refund of ours.',
  content_altered: 'What is stored is not what was approved. Nothing was sent since. Whoever runs Sharebook has to look at it.',
  cannot_be_read: 'The period could not be read at Invo for three quarters of an hour.',
  looks_landed: 'The period shows one new refund of this amount at that time: it looks carried out.',
  looks_not_landed: 'The period shows nothing new half an hour after the last try: it looks as if it never happened.',
  reported_after_all: 'It was said not to have happened, and a month pulled since reports a refund like it.',
  period_unclear: 'The period changed since, and not in a way that this refund alone explains.',
};

/** Why two people are needed, in a sentence. */
export function sayAttention(reason: AttentionReason | null): string {
  return reason === null ? 'It cannot be told by itself.' : REASONS[reason];
}
