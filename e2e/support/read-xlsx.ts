import { crc32, inflateRawSync } from 'node:zlib';

export interface XlsxCell {
  type: 'text' | 'number' | 'boolean';
  /** The text, or the number or boolean as the file writes it. */
  value: string;
  /** The number format of its style. */
  format: string;
}

export interface ReadXlsx {
  /** The cells of each row by the letters of their column; empty cells are absent. */
  rows: Record<string, XlsxCell>[];
  frozenRows: number;
  /** Each XML part by its name. */
  parts: Record<string, string>;
}

/** For tests: reads a spreadsheet by the published formats (APPNOTE 6.3, ECMA-376), and throws where the file breaks them. */
export function readXlsx(bytes: Buffer): ReadXlsx {
  const parts = Object.fromEntries([...unzip(bytes)].map(([name, part]) => [name, part.toString()]));
  const sheet = parseXml(parts['xl/worksheets/sheet1.xml'] ?? '');
  const formats = readFormats(parseXml(parts['xl/styles.xml'] ?? ''));
  const [pane] = find(sheet, 'pane');
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels']) parseXml(parts[name] ?? '');
  const rows = find(sheet, 'row').map((row, index) => {
    if (row.attributes['r'] !== String(index + 1)) throw new Error(`row ${index + 1} is numbered ${row.attributes['r']}`);
    return Object.fromEntries(find(row, 'c').map((cell) => readCell(cell, index + 1, formats)));
  });
  return { rows, frozenRows: pane?.attributes['state'] === 'frozen' ? Number(pane.attributes['ySplit']) : 0, parts };
}

/** The files of a zip by the directory at its end; each must have the checksum and the sizes that are stated. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 !== bytes.length) throw new Error('the zip has no end');
  const files = new Map<string, Buffer>();
  let position = bytes.readUInt32LE(end + 16);
  if (position + bytes.readUInt32LE(end + 12) !== end) throw new Error('the directory is not before the end');
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(position) !== 0x02014b50) throw new Error(`no directory entry at ${position}`);
    const [method, crc, packed, size] = [position + 10, position + 16, position + 20, position + 24].map((start, index) =>
      index === 0 ? bytes.readUInt16LE(start) : bytes.readUInt32LE(start),
    );
    const name = bytes.toString('utf8', position + 46, position + 46 + bytes.readUInt16LE(position + 28));
    const local = bytes.readUInt32LE(position + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    if (bytes.readUInt32LE(local) !== 0x04034b50 || !bytes.subarray(local + 30, start).equals(Buffer.from(name)))
      throw new Error(`${name} is not where the directory says`);
    const held = bytes.subarray(start, start + (packed ?? 0));
    const file = method === 8 ? inflateRawSync(held) : held;
    if (file.length !== size || crc32(file) !== crc) throw new Error(`${name} is not what the directory says`);
    files.set(name, file);
    position += 46 + bytes.readUInt16LE(position + 28) + bytes.readUInt16LE(position + 30) + bytes.readUInt16LE(position + 32);
  }
  return files;
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const TOKEN = /<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
/** What XML 1.0 can't hold. */
// The control characters are what it looks for.
// oxlint-disable-next-line no-control-regex
const INVALID = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function parseXml(source: string): Element {
  if (INVALID.test(source)) throw new Error('a character that XML can’t hold');
  // A reader sees each line end as a line feed (XML 1.0, 2.11).
  const text = source.replace(/^<\?xml[^>]*\?>\s*/, '').replaceAll(/\r\n?/g, '\n');
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    const within = open.at(-1);
    if (!token || !within) throw new Error(`no XML at ${start}: ${text.slice(start, start + 60)}`);
    const [, isEnd, name = '', attributes = '', isEmpty, content] = token;
    if (content !== undefined) within.text += decodeEntities(content);
    else if (isEnd) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> ends nothing at ${start}`);
    } else {
      const element: Element = { name, attributes: readAttributes(attributes), children: [], text: '' };
      within.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [root] = top.children;
  if (open.length !== 1 || !root) throw new Error('the XML ends too early');
  return root;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeEntities(value)]));
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (entity, name: string) => {
    const found = ENTITIES[name];
    if (found === undefined) throw new Error(`the entity ${entity}`);
    return found;
  });
}

function find(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : find(child, name)));
}

/** The format code of each cell style. */
function readFormats(styles: Element): string[] {
  const codes = new Map([
    ['0', 'General'],
    ['49', '@'],
    ...find(styles, 'numFmt').map(({ attributes }) => [attributes['numFmtId'] ?? '', attributes['formatCode'] ?? ''] as const),
  ]);
  const [cells] = find(styles, 'cellXfs');
  return (cells?.children ?? []).map(({ attributes }) => {
    const code = codes.get(attributes['numFmtId'] ?? '');
    if (code === undefined) throw new Error(`no format ${attributes['numFmtId']}`);
    return code;
  });
}

const TYPES = { inlineStr: 'text', b: 'boolean', n: 'number' } as const;

function readCell({ attributes, children }: Element, row: number, formats: string[]): [string, XlsxCell] {
  const [, column = '', ownRow] = /^([A-Z]+)(\d+)$/.exec(attributes['r'] ?? '') ?? [];
  const type = TYPES[(attributes['t'] ?? 'n') as keyof typeof TYPES];
  const format = formats[Number(attributes['s'] ?? 0)];
  const [content] = children;
  if (Number(ownRow) !== row || type === undefined || format === undefined || children.length !== 1 || !content)
    throw new Error(`the cell ${JSON.stringify(attributes)} of row ${row}`);
  // A formula would be an element `f`: a cell here has a value or a text and nothing else.
  if (content.name !== (type === 'text' ? 'is' : 'v')) throw new Error(`a cell holds ${content.name}`);
  const value = type === 'text' ? find(content, 't').map(readText).join('') : content.text;
  return [column, { type, value, format }];
}

/** `_xHHHH_` is a character (ECMA-376, 22.9.2.19). Without `xml:space`, readers drop blanks at both ends. */
function readText({ attributes, text }: Element): string {
  const cellText = attributes['xml:space'] === 'preserve' ? text : text.trim();
  return cellText.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
