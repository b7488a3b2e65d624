import { XMLParser } from 'fast-xml-parser';
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

/** Parses the XML of a bank, without prefixes of namespaces. Throws `RefusedReport` for a DOCTYPE and for XML that isn't well-formed, as a truncated file isn't. */
export function parseXml(text: string): XmlNode {
  if (/<!DOCTYPE/i.test(text)) refuse('doctype');
  if (depthOf(text) > DEPTH_MAX) refuse('broken_xml');
  try {
    // By the options above elements are lists, and attributes and texts are strings.
    return PARSER.parse(text, true) as XmlNode;
  } catch (error) {
    refuse('broken_xml', null, error instanceof Error ? error.message.slice(0, 200) : '');
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

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [tag] of text.matchAll(/<[^>]*>/g)) {
    if (tag.startsWith('</')) depth -= 1;
    else if (!tag.endsWith('/>') && !/^<[?!]/.test(tag)) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}
