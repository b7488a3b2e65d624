/** An element: its text if it has no elements, otherwise its elements in order. */
export interface XmlElement {
  name: string;
  attributes: string;
  text: string;
  children: XmlElement[];
}

const TOKEN = /<(\/?)([A-Za-z0-9]+)((?: [A-Za-z]+="[^"<&]*")*)>|([^<]+)/gy;

/**
 * Reads the plain XML of a payment file: a declaration, elements with attributes, and text without entities. Throws for anything else, such as a comment, an
 * escape or an element that isn't closed.
 */
export function readXml(text: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(declaration) || text.includes('&')) throw new Error('no plain XML');
  const root: XmlElement = { name: '', attributes: '', text: '', children: [] };
  const open = [root];
  let position = declaration.length;
  for (const match of text.slice(declaration.length).matchAll(TOKEN)) {
    const [whole, slash, name = '', attributes = '', content] = match;
    position += whole.length;
    const parent = open.at(-1) ?? root;
    if (content !== undefined) parent.text += content;
    else if (slash === '/') close(open, name);
    else {
      const element = { name, attributes: attributes.trim(), text: '', children: [] };
      parent.children.push(element);
      open.push(element);
    }
  }
  const [document] = root.children;
  if (position !== text.length || open.length !== 1 || root.children.length !== 1 || document === undefined)
    throw new Error('XML that is not whole');
  return document;
}

function close(open: XmlElement[], name: string): void {
  const element = open.pop();
  if (element?.name !== name || open.length === 0) throw new Error(`</${name}> closes another element`);
  if (element.children.length > 0 && element.text.trim() !== '') throw new Error(`text beside elements in ${name}`);
}

/** The elements at a path of names below an element. */
export function elementsAt(element: XmlElement, path: string): XmlElement[] {
  return path
    .split('/')
    .reduce((found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)), [element]);
}

/** The texts at a path of names below an element. */
export function textsAt(element: XmlElement, path: string): string[] {
  return elementsAt(element, path).map(({ text }) => text);
}
