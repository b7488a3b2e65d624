import { type Capability, rolesWith } from '#lib/core/roles.ts';

// Conditions in the statement that stores what a person does, so that nothing read before decides. Names of roles are constants of our own, never what anyone typed.
const listOf = (words: readonly string[]): string => `array[${words.map((word) => `'${word}'`).join(', ')}]`;

/** Whether a row of `person`, by its alias, is enabled and has a right now. */
export function mayNow(person: string, capability: Capability): string {
  return `${person}.disabled_at is null and ${person}.roles && ${listOf(rolesWith(capability))}`;
}

/**
 * Whether a row of `person` may approve now what another one prepared: another person, enabled, with the right, for long enough, and neither made the
 * link by which the other's password was set.
 */
export function mayApproveNow(person: string, preparer: string, capability: Capability): string {
  return `${person}.id <> ${preparer}.id and ${mayNow(person, capability)}
    and ${person}.approves_from <= clock_timestamp()
    and ${person}.password_link_by is distinct from ${preparer}.email and ${preparer}.password_link_by is distinct from ${person}.email`;
}
