import { gunzipSync, gzipSync } from 'node:zlib';
import { sha256Of } from '../core/canonical-digest.ts';
import { openBytes, type PayeeKey, type SealedAs, sealBytes } from '../payees/seal.ts';
import type { SealedFile } from './reads/batches.ts';

type FileFacts = Pick<SealedFile, 'gameId' | 'batchNo' | 'messageId' | 'sha256'>;

/** What the bytes of a payment file are bound to. */
export function fileAs({ gameId, batchNo, messageId, sha256 }: FileFacts): SealedAs {
  return { purpose: 'payment file', bound: [1, gameId, batchNo, messageId, sha256.toString('hex')] };
}

/** Seals the bytes of a payment file, compressed, as that file. */
export function sealFile(bytes: Buffer, facts: Omit<FileFacts, 'sha256'>, key: PayeeKey): { sealed: Buffer; sha256: Buffer } {
  const sha256 = sha256Of(bytes);
  return { sealed: sealBytes(gzipSync(bytes), fileAs({ ...facts, sha256 }), key), sha256 };
}

/** Opens the bytes of a payment file; null when they don't open with this key or aren't those that were stored. */
export function openSealedFile(stored: SealedFile, key: PayeeKey): Buffer | null {
  const compressed = openBytes(stored.sealed, fileAs(stored), key);
  if (compressed === null) return null;
  const bytes = gunzipSync(compressed);
  return sha256Of(bytes).equals(stored.sha256) ? bytes : null;
}
