import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, type Font } from 'fontkit';
import type { StatementPaper } from './statement-paper.ts';

export type FontName = 'normal' | 'bold';

export interface Printable {
  paper: StatementPaper;
  isLatin: boolean;
  /** The statement's note about text it can't print; null: it prints all. */
  note: string | null;
}

/** A paper as the fonts can print it: without a name they lack, and with a box for each other character. */
export function toPrintable(paper: StatementPaper): Printable {
  const hasName = paper.name === null || Array.from(paper.name).every(isPrintable);
  let [isLatin, hasBoxes] = [true, false];
  const named = hasName ? paper : { ...paper, name: null };
  const printed = mapTexts(named, (text) => {
    if (LATIN.test(text)) return text;
    isLatin = false;
    const shown = Array.from(text, (character) => (isPrintable(character) ? character : MISSING)).join('');
    hasBoxes ||= shown !== text;
    return shown;
  });
  const notes = [
    hasName ? null : 'The name of the recipient is in characters that this file can’t show. The player ID is shown instead.',
    hasBoxes ? `${MISSING} is a character that this file can’t show.` : null,
  ].filter((each) => each !== null);
  return { paper: printed, isLatin, note: notes.length === 0 ? null : notes.join(' ') };
}

/** The fonts of a document by name. A built-in font has its own name: under another, pdfkit reads it again each time it is chosen. */
export function chooseFonts(doc: PDFKit.PDFDocument, isLatin: boolean): Readonly<Record<FontName, string>> {
  if (isLatin) return { normal: 'Helvetica', bold: 'Helvetica-Bold' };
  doc.registerFont('normal', sourceOf(dejaVu('normal'))).registerFont('bold', sourceOf(dejaVu('bold')));
  return { normal: 'normal', bold: 'bold' };
}

/** The text as the fonts of a paper have it: the built-in ones have no true minus, and their en dash is as wide as a digit. */
export function toGlyphs(text: string, isLatin: boolean): string {
  return isLatin ? text.replaceAll('−', '–') : text;
}

/** What the built-in fonts can set: Windows-1252 without its control characters. */
const LATIN = /^[ -~\u00A0-\u00AC\u00AE-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ−]*$/u;
/** Invisible characters, and scripts that are written from the right: their words would be in the wrong order. */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const MISSING = '□';

function isPrintable(character: string): boolean {
  if (LATIN.test(character)) return true;
  const code = character.codePointAt(0) ?? 0;
  return !UNPRINTABLE.test(character) && dejaVu('normal').hasGlyphForCodePoint(code) && dejaVu('bold').hasGlyphForCodePoint(code);
}

/** Changes every text of a paper. Its shape stays: only texts are replaced, each by a text. */
function mapTexts(paper: StatementPaper, change: (text: string) => string): StatementPaper {
  return JSON.parse(JSON.stringify(paper), (_, value: unknown) => (typeof value === 'string' ? change(value) : value)) as StatementPaper;
}

// By the folder every process is started in: the build of the pages replaces what `require.resolve` answers.
const FOLDER = path.resolve('node_modules/dejavu-fonts-ttf/ttf');
const DEJAVU: Readonly<Record<FontName, string>> = { normal: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' };

// Read when a statement first needs them, and parsed once: parsing takes longer than drawing.
const parsed = new Map<FontName, Font>();

function dejaVu(name: FontName): Font {
  const known = parsed.get(name);
  if (known) return known;
  const font = create(readFileSync(path.join(FOLDER, DEJAVU[name])));
  if ('fonts' in font) throw new Error(`${DEJAVU[name]} is a collection of fonts`);
  parsed.set(name, font);
  return font;
}

// A document accepts a parsed font too, though its types name only files and bytes.
function sourceOf(font: Font): PDFKit.Mixins.PDFFontSource {
  return font as unknown as PDFKit.Mixins.PDFFontSource;
}
