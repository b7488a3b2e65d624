/** What decides about small amounts and holds. Amounts in USD. */
export interface PayoutPolicy {
  /** Less than this waits and adds up. */
  minimum_usd: string;
  /** Whether periods whose base differs from the settled fee are held until a person has looked. */
  holdsBaseMismatch: boolean;
}

/** The policy of a game that has set none. */
export const DEFAULT_POLICY: PayoutPolicy = { minimum_usd: '10.00', holdsBaseMismatch: true };
