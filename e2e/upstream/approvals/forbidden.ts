import type { Call } from '../route.ts';
import { type Refusal, sdkRefusal } from '../wire/answer.ts';

/** Counts a call that no integrator should make, under `forbidden`. */
export function countForbidden({ state, environment }: Call, subject: string): void {
  state.executions.called({ environment, kind: 'forbidden', subject });
}

/** The refusal of a passkey of a title without a verified domain, which is most of them. */
export function passkeysNotEnabled(): Refusal {
  return sdkRefusal(403, 'WEBAUTHN_NOT_ENABLED_FOR_TENANT', 'This title has no verified domain.', {
    reason: 'no_verified_domain',
    hosted_flow: { partner_rp_frozen: true },
  });
}
