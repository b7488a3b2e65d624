import {
  FORMAT_FAMILY,
  type PaymentBatch,
  type PaymentFormat,
  type PaymentItem,
  type PaymentMethod,
  type PaymentSender,
} from './payment.ts';
import { fileBlocker, type PaymentBlocker } from './payment-blocker.ts';
import { formatPaymentFileName } from './payment-manifest.ts';
import { groupItems, listFileLimits, splitItems } from './split-items.ts';
import { listTraceNumbers } from './write-nacha.ts';
import { writePaymentFile } from './write-payment-file.ts';

/** A payment before it is in a file, with whether it replaces another one. */
export type PlannedItem = PaymentItem & { isReissue: boolean };

/** What all files made together have in common. */
export interface FilesToMake
  extends Pick<
    PaymentBatch,
    'method' | 'gameId' | 'game' | 'environment' | 'runId' | 'runNo' | 'month' | 'window' | 'createdAt' | 'executionDate' | 'note' | 'rate'
  > {
  /** The layout, where the method has several. */
  format: PaymentFormat | null;
  /** The number of the first batch, and of the first re-issue of the run. */
  firstBatchNo: number;
  nextReissueNo: number;
  /** What batch IDs start with. */
  batchPrefix: string;
  /** File ID modifiers that are free for the sender's origin today, in their order. */
  modifiers: readonly string[];
}

/** A file that can be stored: its bytes are the UTF-8 of `text`. */
export interface PlannedFile {
  batchNo: number;
  batch: PaymentBatch;
  fileName: string;
  items: readonly PaymentItem[];
  /** Trace numbers of its payments; empty: the layout has none. */
  traces: readonly string[];
  text: string;
}

export type FilesPlan = { ok: true; files: PlannedFile[] } | { ok: false; blockers: PaymentBlocker[] };

/**
 * Writes the files of all given payments of one method: first payments and re-issues apart, grouped by layout, cut at its limits. All of them or none: the reasons
 * against any of them block all.
 */
export function planFiles(planned: readonly PlannedItem[], sender: PaymentSender | null, to: FilesToMake): FilesPlan {
  const parts = [false, true].flatMap((isReissue) => {
    const items = planned.filter((item) => item.isReissue === isReissue);
    const groups = groupItems(items, to.format === null ? {} : { [to.method]: to.format });
    // Files of one layout are parts of one whole.
    return [...Map.groupBy(groups, ({ format }) => format)].map(([format, same]) => {
      const cut = same.flatMap((group) => (sender === null ? [group.items] : splitItems(group.items, limitsOf(format, to.method, sender))));
      return { format, isReissue, cut };
    });
  });
  const blockers: PaymentBlocker[] = [];
  const files: PlannedFile[] = [];
  let modifiers = to.modifiers;
  for (const [index, { format, isReissue, cut }] of parts.entries()) {
    const reissueNo = isReissue ? to.nextReissueNo + parts.slice(0, index).filter((part) => part.isReissue).length : null;
    for (const [part, items] of cut.entries()) {
      const batchNo = to.firstBatchNo + files.length;
      const isNacha = format.startsWith('nacha');
      const [fileIdModifier = null, ...rest] = isNacha ? modifiers : [];
      if (isNacha) modifiers = rest;
      const batch: PaymentBatch = {
        method: to.method,
        format,
        batchId: `${to.batchPrefix}-${batchNo}`,
        gameId: to.gameId,
        game: to.game,
        environment: to.environment,
        runId: to.runId,
        runNo: to.runNo,
        month: to.month,
        window: to.window,
        partNo: part + 1,
        partCount: cut.length,
        reissueNo,
        createdAt: to.createdAt,
        executionDate: isNacha || format.startsWith('pain') ? to.executionDate : null,
        fileIdModifier,
        note: to.note,
        rate: to.method === 'sepa' ? to.rate : null,
      };
      const written = writePaymentFile({ batch, sender, items });
      if (!written.ok) blockers.push(...written.blockers);
      const traces = sender?.family === 'ach' ? listTraceNumbers(sender, items.length) : [];
      files.push({ batchNo, batch, fileName: formatPaymentFileName(batch), items, traces, text: written.ok ? written.text : '' });
    }
  }
  if (files.length === 0) blockers.push(fileBlocker('no_payments'));
  return blockers.length > 0 ? { ok: false, blockers: withoutRepeats(blockers) } : { ok: true, files };
}

function limitsOf(format: PaymentFormat, method: PaymentMethod, sender: PaymentSender): ReturnType<typeof listFileLimits> {
  // A sender of another family is a blocker of its own; cutting by it would cut into single payments.
  return sender.family === FORMAT_FAMILY[format]
    ? listFileLimits(format, method, sender)
    : { items_max: null, amount_max: null, total_max: null };
}

/** What concerns the whole file is the same in each part. */
function withoutRepeats(blockers: readonly PaymentBlocker[]): PaymentBlocker[] {
  const key = ({ reason, item, detail }: PaymentBlocker): string => `${reason} ${item?.itemNo ?? ''} ${detail}`;
  return [...new Map(blockers.map((blocker) => [key(blocker), blocker])).values()];
}
