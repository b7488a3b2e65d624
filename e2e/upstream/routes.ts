import { sendApproveRoute, transferApproveRoute } from './approvals/approve.ts';
import { deviceBeginRoute, deviceEnrolmentRoute, devicePollRoute } from './approvals/device-routes.ts';
import { forbiddenRoutes } from './approvals/forbidden-routes.ts';
import { attributionRoute } from './evidence/attribution.ts';
import { clientEventsRoute, serverEventsRoute } from './loyalty/events.ts';
import { loyaltyRoute } from './loyalty/loyalty.ts';
import { offersRoute, redeemRoute, vaultRoute } from './loyalty/me.ts';
import { rewardsPageRoute } from './loyalty/rewards-page.ts';
import { checkoutRoute } from './orders/checkout.ts';
import { confirmPaymentRoute } from './orders/confirm-payment.ts';
import { itemSaleRoute } from './orders/item-sale.ts';
import { itemHistoryRoute, itemOrderDetailsRoute, orderDetailsRoute } from './orders/orders.ts';
import { purchaseRoute } from './orders/purchase.ts';
import { balanceBatchRoute, balanceStreamRoute, withdrawalsRoute } from './players/balance-files.ts';
import { destinationsRoute } from './players/destinations.ts';
import { phoneShareInitiateRoute, phoneShareStatusRoute } from './players/phone-share-routes.ts';
import { balancesRoute, playerCardsRoute } from './players/player.ts';
import { playerTokenRoute } from './players/player-token.ts';
import { setUpConfirmRoute, setUpRoute } from './players/set-up.ts';
import { refundRoute } from './refunds/refund.ts';
import type { Route } from './route.ts';
import { amountRoute } from './subscriptions/amount.ts';
import { cancelRoute } from './subscriptions/cancel.ts';
import { paymentMethodRoute } from './subscriptions/payment-method.ts';
import { periodRoute, subscriptionAttributionRoute } from './subscriptions/periods.ts';
import { playerSubscriptionsRoute, subscriptionRoute } from './subscriptions/subscription.ts';
import { claimTransferRoute, confirmReceiptRoute } from './transfers/collect.ts';
import { initiateSendRoute, initiateTransferRoute } from './transfers/start-routes.ts';
import { approvalStatusRoute, inboundPendingRoute, transferStatusRoute } from './transfers/transfers.ts';

/** Every route. The first whose method and pattern match answers. */
export const ROUTES: readonly Route[] = [
  attributionRoute,
  subscriptionAttributionRoute,
  periodRoute,
  playerSubscriptionsRoute,
  subscriptionRoute,
  balancesRoute,
  balanceBatchRoute,
  balanceStreamRoute,
  withdrawalsRoute,
  playerCardsRoute,
  orderDetailsRoute,
  itemOrderDetailsRoute,
  itemHistoryRoute,
  loyaltyRoute,
  transferStatusRoute,
  approvalStatusRoute,
  inboundPendingRoute,
  cancelRoute,
  amountRoute,
  paymentMethodRoute,
  refundRoute,
  checkoutRoute,
  confirmPaymentRoute,
  setUpRoute,
  setUpConfirmRoute,
  serverEventsRoute,
  itemSaleRoute,
  playerTokenRoute,
  destinationsRoute,
  initiateSendRoute,
  deviceBeginRoute,
  devicePollRoute,
  deviceEnrolmentRoute,
  sendApproveRoute,
  phoneShareStatusRoute,
  phoneShareInitiateRoute,
  offersRoute,
  vaultRoute,
  redeemRoute,
  initiateTransferRoute,
  transferApproveRoute,
  confirmReceiptRoute,
  claimTransferRoute,
  purchaseRoute,
  rewardsPageRoute,
  clientEventsRoute,
  ...forbiddenRoutes,
];
