import type { Json } from './json.ts';

/** The attribution notice every reporting response carries. */
export function attributionNotice(): Json {
  return {
    settled_by_invo: false,
    invo_has_paid_no_recipient: true,
    document_type: 'attribution_report',
    not_a_remittance_advice: true,
    payer: 'partner',
    statement:
      "Invo settles to the game partner only. The amounts below are attributed to recipients nominated by the partner; Invo has paid none of them and owes them nothing. Paying recipients is the partner's own affair.",
  };
}
