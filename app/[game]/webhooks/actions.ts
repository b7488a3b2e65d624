'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { formAction, idShape, slugShape } from '#app/_server/form-action.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import { config, storedNow } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { findGameConfig } from '#lib/config.ts';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { checkSetUp } from '#lib/webhooks/check-set-up.ts';
import { DELIVERY_STATES } from '#lib/webhooks/rules/delivery.ts';
import { readDeliveryAgain, type SettleRefusal, type SettleResult, settleDelivery } from '#lib/webhooks/settle-delivery.ts';
import { formatSetUpFailure, webhookAddress } from '#lib/webhooks/text.ts';

const ofGame = z.object({ game: slugShape });
const ofDelivery = ofGame.extend({ deliveryId: idShape });
const settled = ofDelivery.extend({ state: z.enum(DELIVERY_STATES), why: z.string().max(5_000).default('') });

const REFUSALS: Record<SettleRefusal, string> = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  why_missing: 'Enter a reason, so that others know what you checked.',
  why_too_long: `Use ${WHY_LENGTH_MAX} characters or fewer. No changes were made.`,
  settled_already: 'Someone else has settled this delivery. Reload the page.',
  nothing_to_read: 'This delivery has nothing to read. No changes were made.',
};

/** Posts a delivery of Sharebook's own to its public address, and says what came of it. */
export const checkSetUpAction = formAction(
  { schema: ofGame, who: 'deliveries.settle', game: true },
  async ({ game }): Promise<FormResult> => {
    const address = webhookAddress(config().origin, game.slug);
    const configured = findGameConfig(config(), game.slug);
    const check = await checkSetUp({
      address,
      secret: configured?.webhookSecret ?? null,
      tenantId: configured?.gameId ?? game.invoGameId,
      now: await storedNow(),
    });
    revalidatePath(`/${game.slug}/webhooks`);
    if (check.ok)
      return {
        kind: 'done',
        sentence: `${address} verified and stored a delivery signed with the current secret. It is in the list as a test.`,
      };
    return { kind: 'refused', sentence: formatSetUpFailure(address, check.reason, check.reason === 'answered' ? check.status : null) };
  },
);

/** Settles a conflict, or marks a delivery of another game or a failing one as known. */
export const settleAction = formAction(
  { schema: settled, who: 'deliveries.settle', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const context = openGameContext(game);
    return toState(game.slug, await settleDelivery(context.game, actor, form), 'Settled. It no longer needs attention.');
  },
);

/** Has what the delivery opened read again. */
export const readAgainAction = formAction(
  { schema: ofDelivery, who: 'deliveries.settle', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const context = openGameContext(game);
    const answer = await readDeliveryAgain(context.game, actor, form.deliveryId);
    return toState(game.slug, answer, 'Read requested. The result appears here in a moment.');
  },
);

function toState(slug: string, answer: SettleResult, done: string): FormResult {
  revalidatePath(`/${slug}`, 'layout');
  return answer.ok ? { kind: 'done', sentence: done } : { kind: 'refused', sentence: REFUSALS[answer.reason] };
}
