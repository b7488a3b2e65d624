/**
 * Draws a text as a QR code (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 10. Rows of dark modules, without the quiet zone of
 * four; null: the text is longer than 213 bytes.
 */
export function encodeQr(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version =
    VERSIONS.findIndex(({ total, ecOfBlock, blocks }, at) => total - ecOfBlock * blocks >= bytes.length + (at < 9 ? 2 : 3)) + 1;
  const of = VERSIONS[version - 1];
  if (of === undefined) return null;
  const codewords = interleave(packBytes(bytes, version, of.total - of.ecOfBlock * of.blocks), of);
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => drawSymbol(codewords, version, mask));
  return drawn.reduce((best, each) => (penaltyOf(each) < penaltyOf(best) ? each : best));
}

interface Version {
  /** Codewords, error correction included. */
  total: number;
  ecOfBlock: number;
  blocks: number;
  /** Centres of alignment patterns, in both directions. */
  centres: readonly number[];
}

// Tables 1, 9 and E.1 of the standard, for level M.
const VERSIONS: readonly Version[] = [
  { total: 26, ecOfBlock: 10, blocks: 1, centres: [] },
  { total: 44, ecOfBlock: 16, blocks: 1, centres: [6, 18] },
  { total: 70, ecOfBlock: 26, blocks: 1, centres: [6, 22] },
  { total: 100, ecOfBlock: 18, blocks: 2, centres: [6, 26] },
  { total: 134, ecOfBlock: 24, blocks: 2, centres: [6, 30] },
  { total: 172, ecOfBlock: 16, blocks: 4, centres: [6, 34] },
  { total: 196, ecOfBlock: 18, blocks: 4, centres: [6, 22, 38] },
  { total: 242, ecOfBlock: 22, blocks: 4, centres: [6, 24, 42] },
  { total: 292, ecOfBlock: 22, blocks: 5, centres: [6, 26, 46] },
  { total: 346, ecOfBlock: 26, blocks: 5, centres: [6, 28, 50] },
];

/** Mode, length, bytes and padding as data codewords. */
function packBytes(bytes: readonly number[], version: number, capacity: number): number[] {
  const bits = [
    '0100',
    bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0'),
    ...bytes.map((byte) => byte.toString(2).padStart(8, '0')),
  ].join('');
  const ended = `${bits}${'0'.repeat(Math.min(4, capacity * 8 - bits.length))}`;
  const data = (ended.match(/.{1,8}/g) ?? []).map((group) => Number.parseInt(group.padEnd(8, '0'), 2));
  return Array.from({ length: capacity }, (_, at) => data[at] ?? ((at - data.length) % 2 === 0 ? 0xec : 0x11));
}

/** Data in blocks, the longer ones last, column by column; then their error correction in the same way. */
function interleave(data: readonly number[], { ecOfBlock, blocks }: Version): number[] {
  const short = Math.floor(data.length / blocks);
  const longs = data.length % blocks;
  const parts = Array.from({ length: blocks }, (_, at) => {
    const start = at * short + Math.max(0, at - (blocks - longs));
    return data.slice(start, start + short + (at >= blocks - longs ? 1 : 0));
  });
  return [...byColumn(parts), ...byColumn(parts.map((part) => correctErrors(part, ecOfBlock)))];
}

function byColumn(parts: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part[at] ?? [])).flat();
}

/** The Reed-Solomon remainder of a block, over GF(256) modulo x⁸ + x⁴ + x³ + x² + 1. */
export function correctErrors(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let root = 1, at = 0; at < count; at += 1, root = multiply(root, 2))
    generator = [...generator, 0].map((each, power) => each ^ multiply(generator[power - 1] ?? 0, root));
  const rest = [...data, ...Array.from({ length: count }, () => 0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at] ?? 0;
    for (const [power, each] of generator.entries()) rest[at + power] = (rest[at + power] ?? 0) ^ multiply(each, factor);
  }
  return rest.slice(data.length);
}

function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

function drawSymbol(codewords: readonly number[], version: number, mask: number): boolean[][] {
  const size = version * 4 + 17;
  const fixed = drawPatterns(size, version, mask);
  const bits = codewords.flatMap((codeword) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((codeword >> bit) & 1) === 1));
  const isMasked = MASKS[mask] ?? (() => false);
  const symbol = fixed.map((row) => row.map((module) => module ?? false));
  let next = 0;
  // Pairs of columns from the right, upwards and downwards in turn; the column of the timing pattern is left out.
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row]?.[column] !== null) continue;
        symbol[row]?.splice(column, 1, (bits[next] ?? false) !== isMasked(row, column));
        next += 1;
      }
    }
  }
  return symbol;
}

/** What every symbol of a version and mask has in the same place; null: a module for data. */
function drawPatterns(size: number, version: number, mask: number): (boolean | null)[][] {
  const drawn: (boolean | null)[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  const set = (row: number, column: number, isDark: boolean): void => void drawn[row]?.splice(column, 1, isDark);
  for (let at = 0; at < size; at += 1)
    for (const [row, column] of [
      [6, at],
      [at, 6],
    ] as const)
      set(row, column, at % 2 === 0);
  for (const row of VERSIONS[version - 1]?.centres ?? [])
    for (const column of VERSIONS[version - 1]?.centres ?? [])
      if (!isFinder(row, column, size)) drawSquares(set, { row, column, radius: 2, isDark: (away) => away !== 1 });
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawSquares((y, x, isDark) => y >= 0 && x >= 0 && y < size && x < size && set(y, x, isDark), {
      row,
      column,
      radius: 4,
      isDark: (away) => away < 2 || away === 3,
    });
  const format = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((format >> bit) & 1) === 1;
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, isDark);
  }
  set(size - 8, 8, true);
  if (version < 7) return drawn;
  const number = withRemainder(version, 12, 0x1f25);
  for (let bit = 0; bit < 18; bit += 1) {
    const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    set(near, far, ((number >> bit) & 1) === 1);
    set(far, near, ((number >> bit) & 1) === 1);
  }
  return drawn;
}

function isFinder(row: number, column: number, size: number): boolean {
  return [
    [6, 6],
    [6, size - 7],
    [size - 7, 6],
  ].some(([y, x]) => y === row && x === column);
}

interface Squares {
  row: number;
  column: number;
  radius: number;
  /** By the distance from the centre. */
  isDark: (away: number) => boolean;
}

function drawSquares(set: (row: number, column: number, isDark: boolean) => void, { row, column, radius, isDark }: Squares): void {
  for (let y = -radius; y <= radius; y += 1)
    for (let x = -radius; x <= radius; x += 1) set(row + y, column + x, isDark(Math.max(Math.abs(y), Math.abs(x))));
}

/** A number followed by its remainder in a BCH code: format and version of a symbol. Level M is 00 before the mask. */
export function withRemainder(value: number, bits: number, generator: number): number {
  let rest = value << bits;
  while (Math.clz32(rest) <= Math.clz32(generator)) rest ^= generator << (Math.clz32(generator) - Math.clz32(rest));
  return (value << bits) | rest;
}

/** How hard a symbol is to read: runs of five and more, squares of one color, patterns like a finder, and more of one color. */
function penaltyOf(symbol: readonly (readonly boolean[])[]): number {
  const lines = [...symbol, ...symbol.map((_, at) => symbol.map((row) => row[at] ?? false))].map((line) => line.map(Number).join(''));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, { length }) => sum + length - 2, 0);
  const finders = lines.reduce((sum, line) => sum + (line.match(/(?=00001011101|10111010000)/g) ?? []).length * 40, 0);
  let squares = 0;
  for (const [y, row] of symbol.entries())
    for (const [x, module] of row.entries())
      if (row[x + 1] === module && symbol[y + 1]?.[x] === module && symbol[y + 1]?.[x + 1] === module) squares += 3;
  const dark = symbol.flat().filter(Boolean).length / symbol.length ** 2;
  return runs + finders + squares + Math.floor(Math.abs(dark - 0.5) * 20) * 10;
}
