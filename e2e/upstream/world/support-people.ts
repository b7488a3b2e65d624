import type { Player, SavedCard } from '../model.ts';

/** The players that support looks up in the demo, by the part of the email before the @. */
export const SUPPORT_PEOPLE = {
  'mira.holt': person(910_001, 'Mira Holt'),
  'tomas.vey': person(910_002, 'Tomas Vey'),
  'ines.calder': person(910_003, 'Ines Calder'),
  'owen.strand': person(910_004, 'Owen Strand'),
  'lena.marsh': person(910_005, 'Lena Marsh'),
  'pavel.orsk': person(910_006, 'Pavel Orsk'),
  'ruth.amsel': person(910_007, 'Ruth Amsel'),
  'sena.ward': person(910_008, 'Sena Ward'),
  'theo.lund': person(910_009, 'Theo Lund'),
  'uma.frey': person(910_010, 'Uma Frey'),
  'nora.quist': person(910_011, 'Nora Quist'),
  'vik.aster': person(910_012, 'Vik Aster'),
  'wren.ashby': person(910_013, 'Wren Ashby'),
  'guild.house': person(910_014, 'Guild House'),
  'juno.marl': person(910_015, 'Juno Marl'),
  'ilse.brand': person(910_016, 'Ilse Brand'),
  'hugo.lind': person(910_017, 'Hugo Lind'),
  'priya.nair': person(910_018, 'Priya Nair'),
  'marta.silva': person(910_019, 'Marta Silva'),
  'dario.conte': person(910_020, 'Dario Conte'),
  'yuki.tanabe': person(910_021, 'Yuki Tanabe'),
  'oskar.brandt': person(910_022, 'Oskar Brandt'),
  'asa.venn': person(910_023, 'Asa Venn'),
  'bree.okoro': person(910_024, 'Bree Okoro'),
  'fay.rook': { ...person(910_025, 'Fay Rook'), email: 'fay+rook/1@players.example' },
  // His email named 910026 before.
  'ivo.lark': person(910_126, 'Ivo Lark'),
  'gus.hale': person(910_027, 'Gus Hale'),
  'cato.lind': person(910_028, 'Cato Lind'),
  'dara.finch': person(910_029, 'Dara Finch'),
  'eli.moss': person(910_030, 'Eli Moss'),
  'house.account': person(910_031, 'House Account'),
} satisfies Record<string, Player>;

export type SupportPerson = keyof typeof SUPPORT_PEOPLE;

/** The player whom Ivo Lark's email named before it moved to another. */
export const FORMER_IVO: Player = person(910_026, 'Ivo Lark');

/** The same people in the sandbox game, where each has a player of its own; the others aren't there. */
export const SANDBOX_PEOPLE: readonly Player[] = [person(920_023, 'Asa Venn'), person(920_026, 'Ivo Lark'), person(920_027, 'Gus Hale')];

/** Their coins in hundredths. Tomas has spent most of the 120.00 coins of his partial refund. */
export const SUPPORT_COINS: Readonly<Record<number, bigint>> = {
  910_001: 35_000n,
  910_002: 2_000n,
  910_003: 12_500n,
  910_004: 0n,
  910_005: 0n,
  910_006: 5_000n,
  910_007: 0n,
  910_008: 80_000n,
  910_009: 15_000n,
  910_010: 15_000n,
  910_011: 0n,
  910_012: 60_000n,
  910_013: 420_000n,
  910_014: 999_900n,
  910_015: 120_000n,
  910_017: 30_000n,
  910_018: 8_000n,
  910_019: 150_000n,
  910_020: 0n,
  910_021: 22_500n,
  910_022: 4_000n,
  910_023: 500_000n,
  910_024: -4_550n,
  910_025: 10_000n,
  910_026: 75_000n,
  910_027: 30_000n,
  910_028: 200_000n,
  910_029: 150_000n,
  910_030: 10_000n,
  910_031: 5_000_000n,
  910_126: 0n,
  920_023: 500_000n,
  920_026: 75_000n,
  920_027: 30_000n,
};

/** Their coins reserved for transfers, in hundredths. */
export const SUPPORT_RESERVED: Readonly<Record<number, bigint>> = { 910_023: 25_000n, 920_023: 25_000n };

/** Currencies of wallets that hold others than the game's own coins, by player. An empty list: a wallet without any currency. */
export const SUPPORT_CURRENCIES: Readonly<Record<number, readonly { id: number; name: string; coins: bigint }[]>> = {
  910_015: [
    { id: 311, name: 'Lumens', coins: 120_000n },
    { id: 318, name: 'Embers', coins: -4_550n },
  ],
  910_016: [],
};

/** Their saved cards: Mira has two valid cards and an expired one; Ruth and the guild house have no valid card. */
export const SUPPORT_CARDS: Readonly<Record<number, readonly SavedCard[]>> = {
  910_001: [
    card(9_100_011, '4242', 'visa', 9, 2025, 2022),
    card(9_100_012, '5454', 'mastercard', 4, 2034, 2024),
    card(9_100_013, '0005', 'amex', 11, 2035, 2025),
  ],
  910_002: [card(9_100_021, '1117', 'discover', 1, 2033, 2024), card(9_100_022, '8431', 'amex', 12, 2031, 2024)],
  910_003: [card(9_100_031, '4444', 'mastercard', 7, 2034, 2024)],
  910_004: [card(9_100_041, '0341', 'visa', 2, 2032, 2024), card(9_100_042, '3222', 'mastercard', 8, 2033, 2025)],
  910_007: [card(9_100_071, '0069', 'visa', 12, 2024, 2021)],
  910_013: [card(9_100_131, '9424', 'discover', 6, 2036, 2025)],
  910_014: [],
};

function person(playerId: number, name: string): Player {
  return { playerId, name, email: `${name.toLowerCase().replace(' ', '.')}@players.example`, identityId: `idn_desk_${playerId}` };
}

function card(id: number, lastFour: string, brand: string, expMonth: number, expYear: number, createdYear: number): SavedCard {
  return { id, lastFour, brand, expMonth, expYear, createdMs: Date.UTC(createdYear, 10, 3, 14, id % 60) };
}
