import * as z from 'zod';
import { words } from './fields.ts';

/**
 * The notice on every reporting response: five values that may not differ, and prose.
 * Another value means that somebody else may be paying recipients (document 2, attribution notice).
 */
export const attributionNotice = z.object({
  settled_by_invo: z.literal(false),
  invo_has_paid_no_recipient: z.literal(true),
  document_type: z.literal('attribution_report'),
  not_a_remittance_advice: z.literal(true),
  payer: z.literal('partner'),
  statement: words,
});
