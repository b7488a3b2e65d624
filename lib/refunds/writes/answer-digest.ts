import type { Selectable } from 'kysely';
import type { RefundAttemptTable } from '#db/types.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';

/** What an attempt stores of its answer. */
export type StoredAnswer = Pick<
  Selectable<RefundAttemptTable>,
  'class' | 'phase' | 'status' | 'error_code' | 'error_id' | 'answer_facts' | 'sha256'
>;

/** SHA-256 over what an attempt stores of its answer, the bytes by their digest, as hex: the audit records it with the answer. */
export function digestAnswer({ class: kind, phase, status, error_code, error_id, answer_facts, sha256 }: StoredAnswer): string {
  return digestOf({ class: kind, phase, status, error_code, error_id, answer_facts, sha256: sha256?.toString('hex') ?? null }).toString(
    'hex',
  );
}
