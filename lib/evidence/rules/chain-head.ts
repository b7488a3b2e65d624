import * as z from 'zod';
import type { Window } from '#lib/core/window.ts';
import type { ChainHead, GameHead, Recipient, SnapshotStatus } from './evidence.ts';

/** The newest links of the chains of snapshots, one for each game, and of the audit; null: the audit has no link. */
export interface ChainHeads {
  heads: GameHead[];
  audit: ChainHead | null;
}

const position = z.int().min(1);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const head = z.object({ position, digest });
const exported = z.object({
  heads: z.array(z.object({ game: z.string(), environment: z.string(), position, digest })),
  audit: head.nullable().default(null),
});
const manifest = z.object({ game: z.string(), environment: z.string(), chain_head: head });

/** Parses what `chain-head` printed or saved, or the manifest of a file; null for any other text. */
export function parseChainHeads(text: string): ChainHeads | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const heads = exported.safeParse(json);
  if (heads.success) return heads.data;
  const file = manifest.safeParse(json);
  if (!file.success) return null;
  const { game, environment, chain_head } = file.data;
  return { heads: [{ game, environment, ...chain_head }], audit: null };
}

/** One stored response of a snapshot; `slice` counts its slices from 1, 0: it carries control totals. Its bytes are included by their SHA-256. */
export interface ResponseHead {
  slice: number;
  purpose: string;
  request: string;
  status: number;
  received_at: string;
  inflated_byte_count: number;
  sha256: Buffer;
}

/** Who a recipient is; `digest` is that of `digestIdentity`, null when the person was erased before the snapshot. */
interface DigestedRecipient extends Pick<Recipient, 'recipient_player_id' | 'resolved'> {
  digest: Buffer | null;
}

/** Everything a link of version 2 binds. */
export interface ChainLink {
  /** 1, 2, 3 … in the game's chain. */
  position: number;
  /** Digest of the link before, of whatever version; null: this is the first. */
  previous: Buffer | null;
  created_at: string;
  /** As requested; it is covered until `covered_until`. */
  window: Window;
  covered_until: string;
  generated_at: string;
  status: SnapshotStatus;
  facts: Buffer;
  /** In order of slice and receipt. */
  responses: ResponseHead[];
  recipients: DigestedRecipient[];
}
