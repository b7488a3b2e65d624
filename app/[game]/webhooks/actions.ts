'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { config, storedNow } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { checkSetUp } from '#lib/webhooks/check-set-up.ts';
import { DELIVERY_STATES } from '#lib/webhooks/rules/delivery.ts';
import { readDeliveryAgain, type SettleRefusal, settleDelivery } from '#lib/webhooks/settle-delivery.ts';
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
  async ({ game, context }): Promise<FormResult> => {
    const address = webhookAddress(config().origin, game.slug);
    const { webhookSecret, gameId } = context.config;
    const check = await checkSetUp({ address, secret: webhookSecret ?? null, tenantId: gameId ?? game.invoGameId, now: await storedNow() });
    if (check.ok)
      return {
        kind: 'done',
        sentence: `${address} verified and stored a delivery signed with the current secret. It is in the list as a test.`,
      };
    return { kind: 'refused', sentence: formatSetUpFailure(address, check.reason, check.reason === 'answered' ? check.status : null) };
  },
);

/** Settles a conflict, or marks a delivery of another game or a failing one as known. */
export const settleAction = formAction({ schema: settled, who: 'deliveries.settle', game: true }, async ({ form, actor, game }) =>
  resultOf(await settleDelivery(game, actor, form), 'Settled. It no longer needs attention.', REFUSALS),
);

/** Has what the delivery opened read again. */
export const readAgainAction = formAction({ schema: ofDelivery, who: 'deliveries.settle', game: true }, async ({ form, actor, game }) =>
  resultOf(await readDeliveryAgain(game, actor, form.deliveryId), 'Read requested. The result appears here in a moment.', REFUSALS),
);
