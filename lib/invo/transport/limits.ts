/** The bounds on one call. Reaching one is an error, never a truncation. */
export interface Limits {
  receivedBytes: number;
  inflatedBytes: number;
  headerBytes: number;
  /** Values, lists and objects in one body: more would blow memory while being parsed. */
  jsonValues: number;
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  aggregateMs: number;
  detailMs: number;
  /** The whole of a write, from the first sign of the connection to the last byte of the answer. */
  writeMs: number;
  tries: number;
}

const MIB = 1024 * 1024;

/** The largest honest page is about 50 MB and 3 million values (20,000 renewals and 20,000 reversals with their refunds). */
export const defaultLimits: Limits = {
  receivedBytes: 64 * MIB,
  inflatedBytes: 128 * MIB,
  headerBytes: 16 * 1024,
  jsonValues: 8_000_000,
  connectMs: 5_000,
  firstByteMs: 30_000,
  idleMs: 10_000,
  aggregateMs: 60_000,
  detailMs: 20_000,
  writeMs: 45_000,
  tries: 6,
};

/** The bounds on a write: a small answer, and no deadline but those for the connection and for the whole. */
export function limitsOfWrites(limits: Limits): Limits {
  const { receivedBytes, inflatedBytes, writeMs } = limits;
  const answer_max = (bytes: number): number => Math.min(bytes, MIB);
  return {
    ...limits,
    receivedBytes: answer_max(receivedBytes),
    inflatedBytes: answer_max(inflatedBytes),
    firstByteMs: writeMs,
    idleMs: writeMs,
  };
}
