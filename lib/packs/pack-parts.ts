import type { PackPart } from './pack-part.ts';
import { PAYMENTS_PART } from './payments-part.ts';

/** The parts of a pack beside the evidence, the run, its journal and its statements. */
export const PACK_PARTS: readonly PackPart[] = [PAYMENTS_PART];
