/** Subscriptions per page of a player: Invo's maximum (document 2, Limits). */
export const SUBSCRIPTIONS_PER_PAGE = 100;
