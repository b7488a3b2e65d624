import { z } from 'zod';
import { parseNumericId, SUBSCRIPTION_ID } from '#lib/search/rules/parse-search.ts';

/** The game a form is about, as its address names it. */
export const slugShape = z.string().max(40);

/** One of our numbers or of Invo's, as a form carries it. */
export const idShape = z
  .string()
  .refine((text) => parseNumericId(text) !== null)
  .transform(Number);

/** A subscription id, fit for the path of a call. */
export const subscriptionIdShape = z.string().regex(SUBSCRIPTION_ID);

/** A digest of what stood on the page when the form was drawn. */
export const digestShape = z.string().regex(/^[0-9a-f]{64}$/);
