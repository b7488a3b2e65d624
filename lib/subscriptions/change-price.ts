import type { Compared } from '../core/comparison.ts';
import type { Actor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import type { AmountChanged } from '../invo/routes/subscription-changes.ts';
import { sendAmountChange } from '../invo/routes/subscription-changes.ts';
import { readChangeFacts } from './read-change-facts.ts';
import {
  comparePrice,
  findPriceBlocker,
  type PriceBlocker,
  type PriceError,
  type PriceField,
  type PricePreview,
  parseNewPrice,
  previewPrice,
} from './rules/changes.ts';
import { type ChangeDeadlines, type ChangeForm, type ChangeNotStarted, type SentChange, sendChange, startChange } from './send-change.ts';

/** The price form. `isNeverConfirmed`: the person confirmed that the price will stay pending and never apply. */
export interface PriceForm extends ChangeForm {
  amountText: string;
  isNeverConfirmed: boolean;
}

export type PriceOutcome =
  | ChangeNotStarted
  | { kind: 'blocked'; blocker: PriceBlocker }
  | { kind: 'amount'; error: PriceError | 'nothing' | 'store_increase' | 'never_not_confirmed' }
  | (SentChange<AmountChanged> & {
      requested: { amount_usd: string; isClearing: boolean };
      preview: PricePreview;
      receipt: Compared<PriceField>[];
    });

/** Sets a new price for the next renewal, or clears a pending one by sending the current price (document 2, Amount body). */
export async function changePrice(
  context: GameContext,
  actor: Actor,
  form: PriceForm,
  deadlines: ChangeDeadlines = {},
): Promise<PriceOutcome> {
  const started = await startChange(context, actor, form, readChangeFacts, deadlines);
  if (started.kind !== 'read') return started;
  const { subscription } = started;
  const { amount_usd: current, pending_amount_usd, status, paid_through } = subscription;
  const blocker = findPriceBlocker(subscription);
  if (blocker !== null || current === null) return { kind: 'blocked', blocker: blocker ?? 'price_unknown' };
  const parsed = parseNewPrice(form.amountText, current);
  if ('error' in parsed) return { kind: 'amount', error: parsed.error };
  const { amount_usd } = parsed;
  const preview = previewPrice({ ...subscription, amount_usd: current }, amount_usd);
  if (preview.kind === 'nothing') return { kind: 'amount', error: 'nothing' };
  if (preview.kind === 'refused') return { kind: 'amount', error: 'store_increase' };
  if (preview.kind === 'pending' && preview.applies !== 'applies' && !form.isNeverConfirmed)
    return { kind: 'amount', error: 'never_not_confirmed' };
  const sent = await sendChange<AmountChanged>(
    context,
    actor,
    {
      act: 'price change',
      subscriptionId: form.subscriptionId,
      content: { amount_usd, preview, before: { amount_usd: current, pending_amount_usd }, status, paid_through },
      send: (invo, signal) => sendAmountChange(invo, form.subscriptionId, amount_usd, signal),
      paid: ({ subscription: _, ...answer }) => answer,
    },
    deadlines.send_ms,
  );
  return {
    ...sent,
    requested: { amount_usd, isClearing: preview.kind === 'clears' },
    preview,
    receipt: sent.kind === 'done' ? comparePrice(preview, { current, amount_usd }, sent.answer) : [],
  };
}
