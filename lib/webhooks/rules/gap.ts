/**
 * Invo's six waits after a first attempt, 30 seconds, 2 minutes, 10 minutes, 1 hour, 6 hours and 24 hours, each after the one before (document 2,
 * Events): what nobody received for longer is not sent again.
 */
export const RETRIES_END_SECONDS = 30 + 120 + 600 + 3_600 + 21_600 + 86_400;
