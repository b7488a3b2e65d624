import { amountRoute } from './amount.ts';
import { attributionRoute } from './attribution.ts';
import { cancelRoute } from './cancel.ts';
import { paymentMethodRoute } from './payment-method.ts';
import { periodRoute } from './period.ts';
import { balancesRoute, playerCardsRoute } from './player.ts';
import { refundRoute } from './refund.ts';
import type { Route } from './route.ts';
import { playerSubscriptionsRoute, subscriptionRoute } from './subscription.ts';
import { subscriptionAttributionRoute } from './subscription-attribution.ts';

/** Every route the service has; the first whose method and pattern fit answers. */
export const ROUTES: readonly Route[] = [
  attributionRoute,
  subscriptionAttributionRoute,
  periodRoute,
  playerSubscriptionsRoute,
  subscriptionRoute,
  balancesRoute,
  playerCardsRoute,
  cancelRoute,
  amountRoute,
  paymentMethodRoute,
  refundRoute,
];
