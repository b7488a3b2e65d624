import type { Environment } from '../model.ts';
import type { Json } from '../wire/json.ts';
import { Refusal } from '../wire/refusal.ts';

/** The game a control call is about; production unless it says otherwise. */
export function environmentOf(fields: Json): Environment {
  const environment = fields['environment'] ?? 'production';
  if (environment !== 'production' && environment !== 'sandbox') {
    throw new Refusal(400, 'INVALID_BODY', 'environment is production or sandbox.');
  }
  return environment;
}
