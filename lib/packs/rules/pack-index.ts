import * as z from 'zod';
import { canonicalText, sha256Of } from '#lib/core/canonical-digest.ts';
import { ENVIRONMENTS } from '#lib/core/game.ts';
import type { Capability } from '#lib/core/roles.ts';

/** The rights that downloading a pack needs: it has responses, emails and the audit. */
export const PACK_RIGHTS = ['files.export', 'emails.read', 'evidence.read', 'audit.read'] as const satisfies readonly Capability[];

/** The entry that names all others with their digests. It is the last one, because a pack is written as it is read. */
export const INDEX_PATH = 'pack.json';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const leftOut = z.strictObject({ what: z.string(), why: z.string() });
const entry = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: digest });

const index = z.strictObject({
  /** 1: its audit lacks the acts about bank reports. 2: it lacks the rows that they list. */
  pack: z.literal([1, 2, 3]),
  /** Says that no real money moved; null: it did. */
  banner: z.string().nullable(),
  game: z.string(),
  environment: z.enum(ENVIRONMENTS),
  time_zone: z.string(),
  run_no: z.int().min(1),
  window_start: z.string(),
  window_end: z.string(),
  snapshot_digest: digest,
  /** What was approved. */
  content_digest: digest,
  /** How to verify it. */
  verify: z.string(),
  left_out: z.array(leftOut),
  entries: z.array(entry),
});

/** What a pack says of itself, before anything of it is verified. */
export type PackIndex = z.infer<typeof index>;
export type PackEntry = z.infer<typeof entry>;
/** What a pack doesn't have, and why. */
export type LeftOut = z.infer<typeof leftOut>;

/** Whether a pack states why it doesn't have an entry. */
export function isLeftOut({ left_out }: Pick<PackIndex, 'left_out'>, path: string): boolean {
  return left_out.some(({ what }) => what === path);
}

const sealed = index.extend({ sha256: digest });

/** Writes the index of a pack with the digest of all it says, so that a change of any byte shows. */
export function writeIndex(given: PackIndex): string {
  const parsed = index.parse(given);
  return `${JSON.stringify({ ...parsed, sha256: sha256Of(canonicalText(parsed)).toString('hex') }, null, 2)}\n`;
}

/** Parses the index of a pack; null for any other text. `isIntact`: it is what was written, byte for byte. */
export function parseIndex(text: string): { index: PackIndex; isIntact: boolean } | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = sealed.safeParse(json);
  if (!parsed.success) return null;
  const { sha256: _, ...rest } = parsed.data;
  return { index: rest, isIntact: writeIndex(rest) === text };
}
