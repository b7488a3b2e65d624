import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, PartnerBasis, ReversalBasis } from '../model.ts';
import type { WrittenDesk } from './desk-store.ts';

interface WrittenRefund {
  environment: Environment;
  periodId: number;
  atMs: number;
  /** Ten-thousandths of a dollar. */
  amount: string;
  basis: ReversalBasis;
  partnerBasis: PartnerBasis;
  transactionId?: string;
  clientRequestId?: string;
}

interface Written {
  clockMs: number | null;
  refunds: WrittenRefund[];
  /** Absent in a file of before support's routes. */
  desks?: Record<Environment, WrittenDesk>;
}

export interface MemoryFile {
  read(): Written;
  /** `make` is called only where something is kept. */
  write(make: () => Written): void;
  forget(): void;
}

/** The one file that survives a restart; without a folder nothing does. */
export function openMemoryFile(folder: string | undefined): MemoryFile {
  const nothing: Written = { clockMs: null, refunds: [] };
  if (folder === undefined) return { read: () => nothing, write: () => undefined, forget: () => undefined };
  const path = join(folder, 'upstream-state.json');
  return {
    read(): Written {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as Written;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
        throw error;
      }
    },
    write(make): void {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(make()));
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}
