import { DAY_MS } from '../instant.ts';

/** One kind of lines: spread over recipients and time, some refunded. */
export interface Block {
  lines: number;
  firstRecipient: number;
  recipients: number;
  startMs: number;
  endMs: number;
  /** 1: evenly spread; 3: most at the start. */
  crowding: number;
  /** How many lines are refunded, and the earliest and latest refund. */
  refunded: number;
  refundEndMs: number;
  refundStartMs: number;
}

const SEPTEMBER = Date.UTC(2026, 8, 1);
const OCTOBER = Date.UTC(2026, 9, 1);
const NOVEMBER = Date.UTC(2026, 10, 1);
const INSTANT = Date.UTC(2026, 9, 17, 9, 30, 0, 123);

/** The lines of a volume world by its name: `distribution:<name>`, `max-month` or `instant:<count>`. They settle in October 2026 unless the plan says otherwise. */
export function volumePlan(name: string): Block[] {
  const plan = PLANS[name.replace(/^distribution:/, '')];
  const count = /^instant:(\d{1,6})$/.exec(name)?.[1];
  if (count !== undefined) return [block({ lines: Number(count), recipients: 200, startMs: INSTANT, endMs: INSTANT + 1 })];
  if (plan === undefined)
    throw new Error(`no such world: ${name} (demo, max-month, instant:<count>, distribution:${Object.keys(PLANS).join('|')})`);
  return plan;
}

const MAXIMAL: Block[] = [
  block({ lines: 3500, recipients: 5, refunded: 1000 }),
  block({ lines: 16_500, firstRecipient: 5, recipients: 1995, refunded: 9000 }),
  block({
    lines: 10_000,
    firstRecipient: 5,
    recipients: 1995,
    startMs: SEPTEMBER,
    endMs: OCTOBER,
    refunded: 10_000,
    refundStartMs: OCTOBER,
  }),
];

const PLANS: Record<string, Block[]> = {
  'max-month': MAXIMAL,
  small: [block({ lines: 900, recipients: 60, refunded: 40 })],
  maximal: MAXIMAL,
  'one-large': [block({ lines: 19_000, recipients: 1 }), block({ lines: 900, firstRecipient: 1, recipients: 60 })],
  'renewals-39': [block({ lines: 39 * 512, recipients: 39 })],
  'renewals-and-reversals-39': [
    block({ lines: 39 * 512, recipients: 39 }),
    block({
      lines: 39 * 512,
      firstRecipient: 39,
      recipients: 39,
      startMs: SEPTEMBER,
      endMs: OCTOBER,
      refunded: 39 * 512,
      refundStartMs: OCTOBER,
    }),
  ],
  singles: [block({ lines: 20_000, recipients: 20_000 })],
  crowded: [block({ lines: 200_000, recipients: 5000, crowding: 3, refunded: 4000 })],
  'first-pull': [block({ lines: 240_000, recipients: 2000, startMs: NOVEMBER - 400 * DAY_MS, refunded: 9600, refundEndMs: NOVEMBER })],
};

function block(given: Partial<Block> & { lines: number; recipients: number }): Block {
  return {
    firstRecipient: 0,
    startMs: OCTOBER,
    endMs: NOVEMBER,
    crowding: 1,
    refunded: 0,
    refundStartMs: 0,
    refundEndMs: NOVEMBER,
    ...given,
  };
}
