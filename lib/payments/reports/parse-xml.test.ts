import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSteps } from '#lib/core/steps.ts';
import { RefusedReport } from '../rules/report-row.ts';
import { parseXmlInSteps, textsOf, type XmlNode } from './parse-xml.ts';

/** An element as it is written, with what comes between its children. */
interface Model {
  name: string;
  prefix: string;
  attribute: string;
  text: string;
  children: Model[];
  between: string;
}

const PARTS = ['Ntry', 'TxDtls', 'TxInfAndSts'];
const between = fc.constantFrom('', '\n  ', '<!-- </Ntry><TxDtls> -->', '<?note <Ntry> ?>', ' <!----> ');
const model: fc.Arbitrary<Model> = fc.letrec<{ element: Model }>((tie) => ({
  element: fc
    .record({
      name: fc.constantFrom(...PARTS, 'Refs', 'Amt'),
      prefix: fc.constantFrom('', 'n:', 'Ntry:'),
      attribute: fc.constantFrom('', '1', 'a > b', '</Ntry>', '<'),
      text: fc.constantFrom('', '120.35', 'x &amp; y', '<![CDATA[</Ntry>]]>'),
      children: fc.oneof({ depthSize: 'small', maxDepth: 5 }, fc.constant([]), fc.array(tie('element'), { maxLength: 6 })),
      between,
    })
    .map((each): Model => ({ ...each, children: withPartsOfOneName(each.children as Model[]) })),
})).element;

/** As elements of banks have them. */
function withPartsOfOneName(children: readonly Model[]): Model[] {
  const first = children.find(({ name }) => PARTS.includes(name))?.name;
  return children.filter(({ name }) => !PARTS.includes(name) || name === first);
}

function write({ name, prefix, attribute, text, children, between: gap }: Model): string {
  const open = `<${prefix}${name}${attribute === '' ? '' : ` Ccy='${attribute.replace('<', '&lt;')}'`}`;
  if (children.length === 0 && text === '') return `${open}/>`;
  return `${open}>${children.length === 0 ? text : ''}${children.map((child) => gap + write(child)).join('')}${gap.startsWith('<?') ? '' : gap}</${prefix}${name}>`;
}

function expectedOf({ attribute, text, children }: Model): XmlNode {
  const node: XmlNode = {};
  for (const child of children) {
    const own = node[child.name];
    if (Array.isArray(own)) own.push(expectedOf(child));
    else node[child.name] = [expectedOf(child)];
  }
  const plain = text.replace('&amp;', '&').replace('<![CDATA[', '').replace(']]>', '');
  return { ...node, ...(children.length === 0 && { '#text': plain }), ...(attribute !== '' && { '@Ccy': attribute }) };
}

const parse = (text: string, rowsMax = 1_000_000): XmlNode => runSteps(parseXmlInSteps(text, rowsMax));
function refusalOf(text: string, rowsMax?: number): string {
  try {
    parse(text, rowsMax);
    return 'was read';
  } catch (error) {
    if (error instanceof RefusedReport) return error.refusal.reason;
    throw error;
  }
}

describe('XML that is parsed in parts', () => {
  test('is what it states, whatever its elements are written and nested like', () => {
    fc.assert(
      fc.property(fc.array(model, { maxLength: 5 }), (children) => {
        const root: Model = { name: 'Document', prefix: '', attribute: '', text: 'x', children: withPartsOfOneName(children), between: '' };
        const document = parse(`<?xml version="1.0"?>${write(root)}`);
        const expected: XmlNode = { Document: [expectedOf(root)] };
        expect(document).toMatchObject(expected);
        expect(textsOf(document)).toEqual(textsOf(expected));
      }),
      { numRuns: 300 },
    );
  });

  test('is refused wherever it ends too early, and where a tag has another name', () => {
    const parts = '<n:Ntry><Amt Ccy="EUR">1</Amt><NtryDtls><TxDtls><Refs>a</Refs></TxDtls>\n<TxDtls/></NtryDtls></n:Ntry>'.repeat(3);
    const text = `<Document><Stmt>${parts}</Stmt></Document>`;
    expect(refusalOf(text)).toBe('was read');
    for (let length = 1; length < text.length; length++) expect(refusalOf(text.slice(0, length)), text.slice(0, length)).toBe('broken_xml');
    for (const { index, 0: tag } of text.matchAll(/<\/?[\w:]+/g))
      if (!text.startsWith('/>', index + tag.length))
        expect(refusalOf(`${text.slice(0, index)}${tag}x${text.slice(index + tag.length)}`), tag).toBe('broken_xml');
  });

  test.each([
    ['more rows than are read', '<Document><Ntry/><Ntry/><Ntry/></Document>', 'too_many_rows'],
    ['more payments of one entry than are read', `<Document><Ntry>${'<TxDtls/>'.repeat(3)}</Ntry></Document>`, 'too_many_rows'],
    ['hardly any row', `<Document>${'<a/>'.repeat(200_000)}</Document>`, 'unknown_layout'],
    ['a row of another kind of text', `<Document><Ntry>${'<a/>'.repeat(200_000)}</Ntry></Document>`, 'unknown_layout'],
    ['what stands for its parts', '<Document><sharebook-parts name="Ntry" first="0" count="9"/></Document>', 'unknown_layout'],
    ['an open comment', '<Document><Ntry/><!-- </Document>', 'broken_xml'],
    ['an open quote', '<Document><Ntry a="></Document>', 'broken_xml'],
    ['a second end', '<Document><Ntry></Ntry></Ntry></Document>', 'broken_xml'],
    ['elements too deep', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`, 'broken_xml'],
  ])('is refused for %s', (_, text, reason) => {
    expect(refusalOf(text, 2)).toBe(reason);
  });

  test('takes one step for some thousand bytes, not one for all', () => {
    const steps = parseXmlInSteps(`<Document>${'<Ntry><Amt Ccy="EUR">120.35</Amt></Ntry>'.repeat(20_000)}</Document>`, 1_000_000);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(20);
  });
});
