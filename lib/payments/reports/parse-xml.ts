import { XMLParser } from 'fast-xml-parser';
import type { Steps } from '#lib/core/steps.ts';
import { refuse } from '../rules/report-row.ts';

/** An element: its children by name, each a list, its text under `#text`, attributes under `@` and their name. */
export type XmlNode = { [name: string]: XmlNode[] | string };

/** Elements may lie so deep; a statement of a bank has about fifteen levels. */
const DEPTH_MAX = 40;

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: true,
  // Only the five entities of XML itself: a DOCTYPE, which would declare others, is refused before.
  processEntities: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Elements that a report has many of: each is parsed by itself. */
const PART_NAMES = ['Ntry', 'TxDtls', 'TxInfAndSts'] as const;
type PartName = (typeof PART_NAMES)[number];
/** Those that a row is read from. */
const ROW_NAMES: readonly string[] = [...PART_NAMES, 'OrgnlPmtInfAndSts'];

/** Replaces parts of an element until they are parsed. */
const PLACEHOLDER = 'sharebook-parts';
/** Characters that are parsed in one step: some ten milliseconds. */
const STEP_LENGTH = 32 * 1024;
/** Characters of one part without its own parts, and of what is in no part: no bank sends as many. */
const PIECE_LENGTH_MAX = 512 * 1024;

/**
 * Parses the XML of a bank, without prefixes of namespaces, in steps of some parts. Throws `RefusedReport` for a DOCTYPE, for XML that isn't well-formed, as a truncated file
 * isn't, for more than `rowsMax` of an element that rows are read from, and for a text that is hardly about any.
 */
export function* parseXmlInSteps(text: string, rowsMax: number): Steps<XmlNode> {
  if (/<!DOCTYPE/i.test(text)) refuse('doctype');
  if (text.includes(PLACEHOLDER)) refuse('unknown_layout');
  const { parts, rest } = yield* cutIntoParts(text, rowsMax);
  if ([rest, ...parts.map((part) => part.text)].some(({ length }) => length > PIECE_LENGTH_MAX)) refuse('unknown_layout');
  const parsed: Parsed = { Ntry: [], TxDtls: [], TxInfAndSts: [] };
  for (let index = 0; index < parts.length; ) {
    const group: Part[] = [];
    for (let length = 0; length < STEP_LENGTH && index < parts.length; index++) {
      const part = parts[index];
      if (part === undefined) break;
      group.push(part);
      length += part.text.length;
    }
    const found = nodesAt(parse(`<parts>${group.map((part) => part.text).join('')}</parts>`), 'parts')[0];
    // Parts of a part ended before it, so each finds its own.
    const [entries, payments, answers] = PART_NAMES.map((name) => nodesAt(found, name).values());
    const next = { Ntry: entries, TxDtls: payments, TxInfAndSts: answers };
    for (const { name } of group) {
      const node = next[name]?.next().value;
      if (node === undefined) refuse('broken_xml');
      fillIn(node, parsed);
      parsed[name].push(node);
    }
    yield;
  }
  const document = parse(rest);
  fillIn(document, parsed);
  return document;
}

type Parsed = Record<PartName, XmlNode[]>;

function parse(text: string): XmlNode {
  try {
    // By the options above elements are lists, and attributes and texts are strings.
    return PARSER.parse(text, true) as XmlNode;
  } catch (error) {
    refuse('broken_xml', null, error instanceof Error ? error.message.slice(0, 200) : '');
  }
}

interface Part {
  name: PartName;
  text: string;
}

/** An element that is being cut out: what of it is no part, and the parts that come next. */
interface Cut {
  name: PartName | null;
  /** How deep it lies. */
  depth: number;
  pieces: string[];
  /** Where the text after its last piece begins. */
  textStart: number;
  run: { name: PartName; first: number; count: number } | null;
}

/** Cuts out each part, in the order in which they end; placeholders stay. What isn't closed stays in the rest, which is then not well-formed. */
function* cutIntoParts(text: string, rowsMax: number): Steps<{ parts: Part[]; rest: string }> {
  const parts: Part[] = [];
  const counts = new Map<string, number>();
  const ended: Record<PartName, number> = { Ntry: 0, TxDtls: 0, TxInfAndSts: 0 };
  const whole: Cut = { name: null, depth: 0, pieces: [], textStart: 0, run: null };
  const cuts: Cut[] = [whole];
  const closeAt = (end: number): void => {
    const cut = cuts.pop();
    const parent = cuts.at(-1);
    if (cut === undefined || cut.name === null || parent === undefined) return;
    takeText(cut, text, end);
    parts.push({ name: cut.name, text: cut.pieces.join('') });
    const no = ended[cut.name]++;
    if (parent.run?.name === cut.name && parent.run.first + parent.run.count === no) parent.run.count += 1;
    else {
      writeRun(parent);
      parent.run = { name: cut.name, first: no, count: 1 };
    }
    parent.textStart = end;
  };
  let [depth, tags] = [0, 0];
  for (let position = text.indexOf('<'); position !== -1; ) {
    const end = endOfMarkup(text, position);
    if (end === -1) break;
    const second = text.charAt(position + 1);
    if (second === '/') {
      depth -= 1;
      if (cuts.length > 1 && depth === cuts.at(-1)?.depth) closeAt(end);
    } else if (second !== '!' && second !== '?') {
      const name = localNameAt(text, position + 1);
      if (ROW_NAMES.includes(name)) {
        const count = (counts.get(name) ?? 0) + 1;
        if (count > rowsMax) refuse('too_many_rows');
        counts.set(name, count);
      }
      const part = PART_NAMES.find((each) => each === name);
      const parent = cuts.at(-1);
      if (part !== undefined && parent !== undefined) {
        takeText(parent, text, position);
        cuts.push({ name: part, depth, pieces: [], textStart: position, run: null });
      }
      if (text.charAt(end - 2) !== '/') depth += 1;
      else if (part !== undefined) closeAt(end);
      if (depth > DEPTH_MAX) refuse('broken_xml');
    }
    tags += 1;
    if (tags % STEP_TAGS === 0) yield;
    position = text.indexOf('<', end);
  }
  for (const cut of cuts.slice(1)) {
    whole.pieces.push(...cut.pieces);
    whole.textStart = cut.textStart;
  }
  takeText(whole, text, text.length);
  writeRun(whole);
  return { parts, rest: whole.pieces.join('') };
}

const STEP_TAGS = 20_000;

/** Takes the text before a position; blanks between parts are none. */
function takeText(cut: Cut, text: string, end: number): void {
  const own = text.slice(cut.textStart, end);
  if (cut.run !== null && own.trim() === '') return;
  writeRun(cut);
  cut.pieces.push(own);
}

function writeRun(cut: Cut): void {
  if (cut.run !== null) cut.pieces.push(`<${PLACEHOLDER} name="${cut.run.name}" first="${cut.run.first}" count="${cut.run.count}"/>`);
  cut.run = null;
}

/** Where a tag, a comment, a section of characters or an instruction ends; -1: it doesn't. */
function endOfMarkup(text: string, start: number): number {
  const closing = MARKUP.find(([opening]) => text.startsWith(opening, start))?.[1];
  if (closing !== undefined) {
    const end = text.indexOf(closing, start);
    return end === -1 ? -1 : end + closing.length;
  }
  let quote = '';
  for (let position = start + 1; position < text.length; position++) {
    const character = text.charAt(position);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return position + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

const MARKUP = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** The name of a tag without its prefix. */
function localNameAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && !/[\s/>]/.test(text.charAt(end))) end++;
  const name = text.slice(start, end);
  return name.slice(name.indexOf(':') + 1);
}

/** Puts the parts of an element in place of their placeholders, in their order. */
function fillIn(node: XmlNode, parsed: Parsed): void {
  const children = Object.entries(node);
  for (const [name, value] of children)
    if (typeof value !== 'string' && name !== PLACEHOLDER) for (const child of value) fillIn(child, parsed);
  if (!(PLACEHOLDER in node)) return;
  for (const [name] of children) delete node[name];
  for (const [name, value] of children)
    if (name !== PLACEHOLDER || typeof value === 'string') node[name] = value;
    else
      for (const placeholder of value) {
        const [partName, first, count] = ['@name', '@first', '@count'].map((key) => placeholder[key]);
        const part = PART_NAMES.find((each) => each === partName);
        if (part === undefined) continue;
        const own = parsed[part].slice(Number(first), Number(first) + Number(count));
        if (own.length !== Number(count)) refuse('broken_xml');
        const before = node[part];
        if (Array.isArray(before)) for (const each of own) before.push(each);
        else node[part] = own;
      }
}

/** The elements of a path below a node, such as `TxDtls/Refs`. */
export function nodesAt(node: XmlNode | undefined, path: string): XmlNode[] {
  return path.split('/').reduce<XmlNode[]>(
    (nodes, name) =>
      nodes.flatMap((each) => {
        const found = each[name];
        return Array.isArray(found) ? found : [];
      }),
    node === undefined ? [] : [node],
  );
}

/** The text of the first element of a path; empty: there is none. */
export function textAt(node: XmlNode | undefined, path: string): string {
  const text = nodesAt(node, path)[0]?.['#text'];
  return typeof text === 'string' ? text.trim() : '';
}

/** An attribute of the first element of a path; empty: there is none. */
export function attributeAt(node: XmlNode | undefined, path: string, name: string): string {
  const text = nodesAt(node, path)[0]?.[`@${name}`];
  return typeof text === 'string' ? text.trim() : '';
}

/** Every text below a node, in order: what a person reads of it. */
export function textsOf(node: XmlNode): string[] {
  return Object.entries(node).flatMap(([name, value]) => {
    if (typeof value === 'string') return name === '#text' && value.trim() !== '' ? [value.trim()] : [];
    return value.flatMap(textsOf);
  });
}
