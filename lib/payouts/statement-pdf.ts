import PDFDocument from 'pdfkit';
import { formatMoney, mostPlaces, normalizeMoney } from '../core/money.ts';
import type { Statement } from './rules/statement.ts';
import { chooseFonts, type FontName, toGlyphs, toPrintable } from './statement-fonts.ts';
import { type BalanceRow, layOutStatement, type PaperColumn, type PaperTable, type StatementPaper } from './statement-paper.ts';

/**
 * Draws a statement as a PDF, A4. The same facts give the same bytes: its dates are those of the approval, and nothing in it is random. Text within
 * Latin-1 is set in the fonts every reader has, other text in DejaVu Sans. A name in a script that neither has is replaced by the player id, and the
 * statement says so.
 */
export async function drawStatement(statement: Statement): Promise<Buffer> {
  const { paper, isLatin, note } = toPrintable(layOutStatement(statement, { canSeeEmails: true }));
  const approved = new Date(statement.run.approvedAt);
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: TOP, bottom: 0, left: LEFT, right: LEFT },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Statement ${paper.number}, ${paper.month}`,
      Author: paper.issuer,
      Creator: 'Sharebook',
      Producer: 'Sharebook',
      CreationDate: approved,
      ModDate: approved,
    },
  });
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  const pen: Pen = { doc, paper, isLatin, fonts: chooseFonts(doc, isLatin), y: TOP };
  drawHead(pen);
  drawBalance(pen);
  for (const table of paper.tables) drawTable(pen, table);
  if (note !== null) drawNote(pen, note);
  drawFeet(pen);
  doc.end();
  await ended;
  return Buffer.concat(pieces);
}

/** Points. */
const LEFT = 48;
const TOP = 48;
const WIDTH = 595.28 - 2 * LEFT;
const RIGHT = LEFT + WIDTH;
/** Where the content of a page ends, and the footer starts. */
const BOTTOM = 841.89 - 88;
const FOOT = 841.89 - 72;
const GAP = 18;
const SMALL = 8;
const NORMAL = 9;
const LINE_AFTER = 5;
const GREY = '#555555';
const RULE = '#bbbbbb';

interface Pen {
  doc: PDFKit.PDFDocument;
  paper: StatementPaper;
  /** Set in the built-in fonts. */
  isLatin: boolean;
  fonts: Readonly<Record<FontName, string>>;
  /** Where the next thing is drawn. */
  y: number;
}

function drawHead(pen: Pen): void {
  const { doc, paper } = pen;
  drawBanner(pen);
  write(pen, paper.issuer, { size: 12, font: 'bold', width: WIDTH / 2 });
  write(pen, paper.title, { size: 13, font: 'bold', x: LEFT + WIDTH / 2, width: WIDTH / 2, align: 'right' });
  pen.y += Math.max(18, heightOf(pen, paper.issuer, { size: 12, font: 'bold', width: WIDTH / 2 - GAP }));
  write(pen, paper.month, { x: LEFT + WIDTH / 2, width: WIDTH / 2, align: 'right' });
  pen.y += 18;
  rule(doc, pen.y, 1, '#000000');
  pen.y += 12;
  const columns = [
    { label: 'Recipient', value: paper.name ?? paper.player, more: [paper.name === null ? null : paper.player, paper.email], width: 0.42 },
    { label: 'Period', value: paper.period, more: [paper.timeZone], width: 0.32 },
    { label: 'Statement', value: `${paper.number}, issued ${paper.issued}`, more: [], width: 0.26 },
  ];
  let [x, lowest] = [LEFT, pen.y];
  for (const { label, value, more, width } of columns) {
    const box = { x, width: width * WIDTH - 10 };
    const top = pen.y;
    write(pen, label, { ...box, size: SMALL, color: GREY });
    pen.y += 12;
    write(pen, value, { ...box, font: 'bold' });
    pen.y += heightOf(pen, value, { ...box, font: 'bold' });
    for (const line of more.filter((each) => each !== null)) {
      write(pen, line, box);
      pen.y += heightOf(pen, line, box);
    }
    lowest = Math.max(lowest, pen.y);
    pen.y = top;
    x += width * WIDTH;
  }
  pen.y = lowest + 12;
  drawAnswer(pen);
}

/** What is payable, and why that much. */
function drawAnswer(pen: Pen): void {
  const { doc, paper } = pen;
  const box = { x: LEFT + WIDTH * 0.4, width: WIDTH * 0.6 - 12 };
  const height = Math.max(48, heightOf(pen, paper.why, box) + 20);
  doc.lineWidth(0.7).strokeColor(RULE).roundedRect(LEFT, pen.y, WIDTH, height, 4).stroke();
  const top = pen.y;
  pen.y = top + 9;
  write(pen, 'Payable', { x: LEFT + 12, size: SMALL, color: GREY });
  pen.y += 12;
  write(pen, paper.payable, { x: LEFT + 12, size: 18, font: 'bold' });
  pen.y = top + (height - heightOf(pen, paper.why, box)) / 2;
  write(pen, paper.why, { ...box, align: 'right' });
  pen.y = top + height + GAP;
}

function drawBalance(pen: Pen): void {
  title(pen, 'Balance');
  const places = mostPlaces(pen.paper.balance.map(({ amount_usd }) => normalizeMoney(amount_usd)));
  for (const row of pen.paper.balance) drawBalanceRow(pen, row, places);
}

function drawBalanceRow(pen: Pen, { label, note, amount_usd, isTotal }: BalanceRow, places: number): void {
  const font = isTotal ? 'bold' : 'normal';
  write(pen, label, { font: 'bold', width: WIDTH * 0.3 });
  write(pen, note, { x: LEFT + WIDTH * 0.3, width: WIDTH * 0.5, color: GREY });
  writeMoneyCell(pen, amount_usd, { right: RIGHT, places, font });
  pen.y += heightOf(pen, note === '' ? label : note, { width: WIDTH * 0.5 }) + LINE_AFTER;
  rule(pen.doc, pen.y - 2, isTotal ? 0.9 : 0.4, isTotal ? '#000000' : RULE);
  pen.y += 3;
}

interface Placed extends PaperColumn {
  x: number;
  /** In points. */
  space: number;
  /** Decimal places of the longest amount. */
  places: number;
}

function drawTable(pen: Pen, table: PaperTable): void {
  const columns = placeColumns(table);
  pen.y += GAP;
  if (pen.y > BOTTOM - 70) nextPage(pen);
  title(pen, table.title);
  drawTableHead(pen, columns);
  for (const row of table.rows) drawTableRow(pen, columns, row, 'normal');
  drawTableRow(pen, columns, table.foot, 'bold');
}

function placeColumns({ columns, rows, foot }: PaperTable): Placed[] {
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  let x = LEFT;
  return columns.map((column, index) => {
    const space = (column.width / whole) * WIDTH;
    const cells = column.kind === 'money' ? [...rows, foot].flatMap((row) => row[index] || []) : [];
    const placed = { ...column, x, space, places: mostPlaces(cells.map(normalizeMoney)) };
    x += space;
    return placed;
  });
}

function drawTableHead(pen: Pen, columns: Placed[]): void {
  for (const { label, x, space, kind } of columns)
    write(pen, label, { x, width: space - (kind === 'text' ? 8 : 0), size: SMALL, color: GREY, align: kind === 'text' ? 'left' : 'right' });
  pen.y += 13;
  rule(pen.doc, pen.y, 0.6, '#000000');
  pen.y += 4;
}

/** Draws one row; one that doesn't fit goes to the next page, under the head again. */
function drawTableRow(pen: Pen, columns: Placed[], row: string[], font: FontName): void {
  const height = Math.max(
    ...columns.map((column, index) => (column.kind === 'text' ? heightOf(pen, row[index] ?? '', { width: column.space - 8, font }) : 0)),
    11,
  );
  if (pen.y + height > BOTTOM) {
    nextPage(pen);
    drawTableHead(pen, columns);
  }
  for (const [index, { kind, x, space, places }] of columns.entries()) {
    const cell = row[index] ?? '';
    if (cell === '') continue;
    if (kind === 'money') writeMoneyCell(pen, cell, { right: x + space, places, font });
    else write(pen, cell, { x, width: space - (kind === 'text' ? 8 : 0), font, align: kind === 'text' ? 'left' : 'right' });
  }
  pen.y += height + 3;
  rule(pen.doc, pen.y, 0.4, RULE);
  pen.y += 4;
}

function drawNote(pen: Pen, note: string): void {
  pen.y += GAP;
  if (pen.y + heightOf(pen, note, { width: WIDTH }) > BOTTOM) nextPage(pen);
  write(pen, note, { width: WIDTH, color: GREY });
}

/** A new page, which names what it belongs to. */
function nextPage(pen: Pen): void {
  const { doc, paper } = pen;
  doc.addPage();
  pen.y = TOP;
  drawBanner(pen);
  const about = `${paper.issuer} · ${paper.name ?? paper.player}`;
  write(pen, about, { size: SMALL, color: GREY, width: WIDTH * 0.6 });
  const right = { x: LEFT + WIDTH * 0.6, width: WIDTH * 0.4, align: 'right' } as const;
  write(pen, `Statement ${paper.number}, ${paper.month}`, { size: SMALL, color: GREY, ...right });
  pen.y += Math.max(GAP, heightOf(pen, about, { size: SMALL, width: WIDTH * 0.6 }) + 6);
}

function drawBanner(pen: Pen): void {
  const { paper } = pen;
  if (paper.banner === null) return;
  write(pen, paper.banner, { width: WIDTH, font: 'bold', align: 'center' });
  pen.y += 20;
}

/** The notice and the number of each page, once it is known how many there are. */
function drawFeet(pen: Pen): void {
  const { doc, paper } = pen;
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    rule(doc, FOOT - 8, 0.4, RULE);
    pen.y = FOOT;
    write(pen, paper.notice, { size: 7.5, color: GREY, width: WIDTH * 0.68 });
    const right = { x: LEFT + WIDTH * 0.7, width: WIDTH * 0.3, align: 'right' } as const;
    write(pen, `${paper.run} · Page ${page + 1} of ${count}`, { size: 7.5, color: GREY, ...right });
  }
}

function title(pen: Pen, text: string): void {
  write(pen, text, { size: 10, font: 'bold' });
  pen.y += 16;
}

function rule(doc: PDFKit.PDFDocument, y: number, width: number, color: string): void {
  doc.lineWidth(width).strokeColor(color).moveTo(LEFT, y).lineTo(RIGHT, y).stroke();
}

interface Written {
  x?: number;
  width?: number;
  size?: number;
  font?: FontName;
  color?: string;
  align?: 'left' | 'right' | 'center';
}

/** Writes text at the pen's height, which stays where it is. Text that fits one line is placed by its own width: wrapping takes five times as long. */
function write(
  pen: Pen,
  text: string,
  { x = LEFT, width, size = NORMAL, font = 'normal', color = '#000000', align = 'left' }: Written,
): void {
  const { doc, y } = pen;
  const shown = toGlyphs(text, pen.isLatin);
  doc.font(pen.fonts[font]).fontSize(size).fillColor(color);
  const own = width === undefined ? 0 : doc.widthOfString(shown);
  if (width !== undefined && own > width) doc.text(shown, x, y, { width, align });
  else doc.text(shown, x + ((width ?? own) - own) * SHIFTS[align], y, { lineBreak: false });
}

/** How much of the free space is left of a text. */
const SHIFTS = { left: 0, center: 0.5, right: 1 } as const;

function heightOf(pen: Pen, text: string, { width = WIDTH, size = NORMAL, font = 'normal' }: Written): number {
  const { doc } = pen;
  const shown = toGlyphs(text, pen.isLatin);
  doc.font(pen.fonts[font]).fontSize(size);
  return doc.widthOfString(shown) <= width ? doc.currentLineHeight(true) : doc.heightOfString(shown, { width });
}

/** Writes an amount so that decimal points are below each other, whatever digits follow the cents. */
function writeMoneyCell(pen: Pen, amount: string, { right, places, font }: { right: number; places: number; font: FontName }): void {
  const text = formatMoney(normalizeMoney(amount));
  const { doc } = pen;
  doc.font(pen.fonts[font]).fontSize(NORMAL);
  const digit = doc.widthOfString('0');
  const width = doc.widthOfString(toGlyphs(text, pen.isLatin));
  write(pen, text, { x: right - width - (places - mostPlaces([normalizeMoney(amount)])) * digit, font });
}
