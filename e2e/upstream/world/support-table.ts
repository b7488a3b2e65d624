import type { Refund, Subscription } from '../model.ts';
import type { SupportPerson } from './support-people.ts';

/** The status of each code that a refund in the demo fails with (document 2, refund errors). */
export const REFUND_ERROR_STATUS = { NO_PAYMENT_REFERENCE: 409, INTERNAL_ERROR: 500, REFUND_LOOKUP_FAILED: 502 } as const;

export interface SupportPeriod {
  /** Absent: when the subscription starts. */
  startsAt?: string;
  /** Absent: paid a minute after the start. */
  unpaid?: 'pending' | 'failed' | 'forgiven';
  isWalletCovered?: boolean;
  attempts?: number;
  refund?: Pick<Refund, 'atMs' | 'amount'>;
  /** The code every refund of the period fails with; nothing is moved. Absent: refunds succeed. */
  refundError?: keyof typeof REFUND_ERROR_STATUS;
}

export interface SupportCase {
  person: SupportPerson;
  /** Eight characters at the end of the subscription id. Period ids end in the slot. */
  tail: string;
  slot: number;
  beganAt: string;
  price: string;
  /** Length of a period in months: long, so that a period paid before the demo's months still covers the demo's clock. */
  months: number;
  rail?: 'pcstore';
  isWalletOnly?: boolean;
  ends?: { at: string; status: 'canceled' | 'expired' };
  cancelRequestedAt?: string;
  liveStatus?: { status: NonNullable<Subscription['liveStatus']>['status']; from: string };
  staged?: string;
  /** Hundredths of a percent for the creator with the most followers; absent: no revenue share. */
  percentBp?: number;
  /** Oldest first. Empty: nothing was ever billed. */
  periods: readonly SupportPeriod[];
}

const LATE_2024 = '2024-12-05T10:00:00.000Z';
const THREE_YEARS = 36;

/** Support's cases, one state each. Nothing settles after December 2024, so no month of the demo changes. */
export const SUPPORT_CASES: readonly SupportCase[] = [
  {
    person: 'mira.holt',
    tail: 'DESKMIRA',
    slot: 8001,
    beganAt: LATE_2024,
    price: '60.00',
    months: THREE_YEARS,
    percentBp: 2000,
    periods: [{}],
  },
  {
    person: 'tomas.vey',
    tail: 'DESKTOMA',
    slot: 8002,
    beganAt: '2024-12-05T11:00:00.000Z',
    price: '40.00',
    months: THREE_YEARS,
    percentBp: 2500,
    periods: [{ refund: { atMs: Date.UTC(2024, 11, 20, 9), amount: 120_000n } }],
  },
  {
    person: 'ines.calder',
    tail: 'DESKINES',
    slot: 8003,
    beganAt: '2024-12-05T12:00:00.000Z',
    price: '20.00',
    months: THREE_YEARS,
    isWalletOnly: true,
    percentBp: 1000,
    periods: [{ isWalletCovered: true }],
  },
  {
    person: 'owen.strand',
    tail: 'DESKOWEN',
    slot: 8004,
    beganAt: '2024-12-18T08:00:00.000Z',
    price: '30.00',
    months: 22,
    liveStatus: { status: 'retrying', from: '2026-10-18T08:00:00.000Z' },
    percentBp: 1000,
    periods: [{}, { startsAt: '2026-10-18T08:00:00.000Z', unpaid: 'pending', attempts: 3 }],
  },
  {
    person: 'lena.marsh',
    tail: 'DESKLENA',
    slot: 8005,
    beganAt: '2026-11-19T16:20:00.000Z',
    price: '14.99',
    months: 1,
    liveStatus: { status: 'awaiting_authentication', from: '2026-11-19T16:20:00.000Z' },
    periods: [],
  },
  {
    person: 'pavel.orsk',
    tail: 'DESKPAVE',
    slot: 8006,
    beganAt: '2024-12-06T10:00:00.000Z',
    price: '25.00',
    months: 1,
    ends: { at: '2025-01-06T10:00:00.000Z', status: 'canceled' },
    periods: [{}],
  },
  {
    person: 'ruth.amsel',
    tail: 'DESKRUTH',
    slot: 8007,
    beganAt: '2024-12-06T11:00:00.000Z',
    price: '25.00',
    months: 1,
    ends: { at: '2025-01-20T11:00:00.000Z', status: 'expired' },
    periods: [{}, { startsAt: '2025-01-06T11:00:00.000Z', unpaid: 'failed', attempts: 4 }],
  },
  {
    person: 'sena.ward',
    tail: 'DESKSENA',
    slot: 8008,
    beganAt: '2024-12-06T12:00:00.000Z',
    price: '45.00',
    months: THREE_YEARS,
    ends: { at: '2027-12-06T12:00:00.000Z', status: 'canceled' },
    cancelRequestedAt: '2025-01-03T09:30:00.000Z',
    periods: [{}],
  },
  {
    person: 'theo.lund',
    tail: 'DESKTHEO',
    slot: 8009,
    beganAt: '2024-12-07T10:00:00.000Z',
    price: '20.00',
    months: THREE_YEARS,
    staged: '25.00',
    periods: [{}],
  },
  {
    person: 'uma.frey',
    tail: 'DESKUMA1',
    slot: 8010,
    beganAt: '2024-12-07T11:00:00.000Z',
    price: '20.00',
    months: THREE_YEARS,
    staged: '45.00',
    periods: [{}],
  },
  {
    person: 'uma.frey',
    tail: 'DESKUMA2',
    slot: 8011,
    beganAt: '2024-12-07T12:00:00.000Z',
    price: '300.00',
    months: THREE_YEARS,
    staged: '520.00',
    periods: [{}],
  },
  {
    person: 'nora.quist',
    tail: 'DESKNORA',
    slot: 8012,
    beganAt: '2026-11-17T13:00:00.000Z',
    price: '9.99',
    months: 1,
    liveStatus: { status: 'retrying', from: '2026-11-17T13:00:00.000Z' },
    periods: [{ unpaid: 'pending', attempts: 2 }],
  },
  {
    person: 'vik.aster',
    tail: 'DESKVIK1',
    slot: 8013,
    beganAt: '2021-12-08T10:00:00.000Z',
    price: '15.00',
    months: THREE_YEARS,
    rail: 'pcstore',
    percentBp: 1500,
    periods: [{}, { startsAt: '2024-12-08T10:00:00.000Z', isWalletCovered: true }],
  },
  {
    person: 'vik.aster',
    tail: 'DESKVIK2',
    slot: 8014,
    beganAt: '2021-12-09T10:00:00.000Z',
    price: '5.00',
    months: 1,
    rail: 'pcstore',
    liveStatus: { status: 'pending_pcstore_authorization', from: '2021-12-09T10:00:00.000Z' },
    periods: [],
  },
  {
    person: 'hugo.lind',
    tail: 'DESKHUGO',
    slot: 8015,
    beganAt: '2024-12-11T09:00:00.000Z',
    price: '30.00',
    months: THREE_YEARS,
    percentBp: 1000,
    periods: [{}],
  },
  {
    person: 'priya.nair',
    tail: 'DESKPRIY',
    slot: 8016,
    beganAt: '2024-12-11T10:00:00.000Z',
    price: '18.00',
    months: THREE_YEARS,
    percentBp: 2000,
    periods: [{}],
  },
  {
    person: 'marta.silva',
    tail: 'DESKMART',
    slot: 8017,
    beganAt: '2024-12-11T11:00:00.000Z',
    price: '180.00',
    months: THREE_YEARS,
    percentBp: 1500,
    periods: [{}],
  },
  {
    person: 'dario.conte',
    tail: 'DESKDARI',
    slot: 8018,
    beganAt: '2024-12-11T12:00:00.000Z',
    price: '22.00',
    months: THREE_YEARS,
    percentBp: 1000,
    periods: [{ refundError: 'NO_PAYMENT_REFERENCE' }],
  },
  {
    person: 'yuki.tanabe',
    tail: 'DESKYUKI',
    slot: 8019,
    beganAt: '2024-12-11T13:00:00.000Z',
    price: '26.00',
    months: THREE_YEARS,
    percentBp: 1000,
    periods: [{ refundError: 'INTERNAL_ERROR' }],
  },
  {
    person: 'oskar.brandt',
    tail: 'DESKOSKA',
    slot: 8020,
    beganAt: '2024-12-11T14:00:00.000Z',
    price: '35.00',
    months: THREE_YEARS,
    percentBp: 2500,
    periods: [{ refundError: 'REFUND_LOOKUP_FAILED' }],
  },
  ...Array.from({ length: 63 }, (_, index): SupportCase => guildHouse(index)),
];

/** Sixty-three subscriptions of one player, none ever paid: sixty expired, three are being retried. */
function guildHouse(index: number): SupportCase {
  const beganAt = new Date(Date.UTC(2024, 11, 10, 0, index * 7)).toISOString();
  const number = String(index + 1).padStart(4, '0');
  return {
    person: 'guild.house',
    tail: `DESK${number}`,
    slot: 8100 + index,
    beganAt,
    price: '4.99',
    months: 1,
    ...(index < 60
      ? { ends: { at: '2024-12-24T00:00:00.000Z', status: 'expired' } }
      : { liveStatus: { status: 'retrying', from: beganAt } }),
    periods: [{ unpaid: index % 2 === 0 ? 'failed' : 'forgiven', attempts: 4 }],
  };
}
