import { type HTMLElement, type Node, parse } from 'node-html-parser';

type Name = string | RegExp;

/** A part of a page as a user sees it: what is hidden, folded or only for scripts is not in it. Each verb throws when it finds nothing. */
export class Part {
  readonly element: HTMLElement;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  /** Its words, as a browser's `textContent`, with one space for several. */
  get text(): string {
    return squeeze(this.element.text);
  }

  /** The words of each of its elements. */
  get phrases(): string[] {
    return this.element.querySelectorAll('*').map(({ text }) => squeeze(text));
  }

  /** The region, group, navigation or dialog of that name. */
  region(name: Name): Part {
    return new Part(this.#one(this.regions(name), 'region', name, NAMED));
  }

  /** How many regions have that name. */
  regions(name: Name): HTMLElement[] {
    return this.#all(NAMED, name);
  }

  /** The table of that name. */
  table(name: Name): Part {
    return new Part(this.#one(this.#all(TABLES, name), 'table', name, TABLES));
  }

  get rows(): Row[] {
    return this.element.querySelectorAll('tr, [role="row"]').map((row) => new Row(row));
  }

  /** The heads of its columns. */
  get columns(): string[] {
    return this.element.querySelectorAll('th[scope="col"], thead th, [role="columnheader"]').map(({ text }) => squeeze(text));
  }

  /** The one row of that name: its cells with a space between them. */
  row(name: Name): Row {
    const found = this.rows.filter((row) => isNamed(row.name, name));
    if (found.length !== 1)
      throw this.#missing(
        'row',
        name,
        found.length,
        this.rows.map((row) => row.name),
      );
    return found[0] as Row;
  }

  /** The values beside a label in lists of facts. */
  facts(label: Name): string[] {
    const labels = this.element.querySelectorAll('dt').filter((dt) => isNamed(squeeze(dt.text), label, 'whole'));
    return labels.map((dt) => squeeze(dt.parentNode?.querySelector('dd')?.text ?? ''));
  }

  /** The one value beside a label. */
  fact(label: Name): string {
    const found = this.facts(label);
    if (found.length !== 1)
      throw this.#missing(
        'fact',
        label,
        found.length,
        this.element.querySelectorAll('dt').map(({ text }) => squeeze(text)),
      );
    return found[0] ?? '';
  }

  /** Every value of its lists of facts. */
  get definitions(): string[] {
    return this.element.querySelectorAll('dd').map(({ text }) => squeeze(text));
  }

  /** What it reports by itself: the words of each `role="status"`. */
  get statuses(): string[] {
    return this.element.querySelectorAll('[role="status"]').map(({ text }) => squeeze(text));
  }

  /** The value of the hidden field of that name. */
  hidden(name: string): string {
    const [field] = this.element.querySelectorAll(`input[type="hidden"][name="${name}"]`);
    if (!field) throw this.#missing('hidden field', name, 0, []);
    return field.getAttribute('value') ?? '';
  }

  /** The fields of each form by their names, with what is filled in. */
  get forms(): Record<string, string>[] {
    const fieldsOf = (form: HTMLElement): [string, string][] =>
      form.querySelectorAll('input[name]').map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']);
    return this.element.querySelectorAll('form').map((form) => Object.fromEntries(fieldsOf(form)));
  }

  get items(): Part[] {
    return this.element.querySelectorAll('li').map((item) => new Part(item));
  }

  /** The words of each heading, or of those of a level. */
  headings(level?: 1 | 2 | 3 | 4): string[] {
    return this.element.querySelectorAll(level ? `h${level}` : 'h1, h2, h3, h4').map(({ text }) => squeeze(text));
  }

  /** Where the first link of that name leads. */
  link(name: Name): string {
    return this.linkElement(name).getAttribute('href') ?? '';
  }

  /** The first link of that name. */
  linkElement(name: Name): HTMLElement {
    const [found] = this.#all('a[href]', name);
    if (!found) throw this.#missing('link', name, 0, this.links);
    return found;
  }

  /** The names of all links. */
  get links(): string[] {
    return this.element.querySelectorAll('a[href]').map(nameOf);
  }

  /** The one button of that name. */
  button(name: Name): { isDisabled: boolean; element: HTMLElement } {
    const element = this.#one(this.#all('button', name), 'button', name, 'button');
    return { isDisabled: element.hasAttribute('disabled') || element.getAttribute('aria-disabled') === 'true', element };
  }

  /** The names of all buttons. */
  get buttons(): string[] {
    return this.element.querySelectorAll('button').map(nameOf);
  }

  #all(selector: string, name: Name): HTMLElement[] {
    return this.element.querySelectorAll(selector).filter((element) => isNamed(nameOf(element), name, 'whole'));
  }

  #one(found: HTMLElement[], what: string, name: Name, selector: string): HTMLElement {
    const [element] = found;
    if (!element || found.length > 1) throw this.#missing(what, name, found.length, this.element.querySelectorAll(selector).map(nameOf));
    return element;
  }

  #missing(what: string, name: Name, count: number, there: string[]): Error {
    return new Error(`${count} of a ${what} named ${String(name)}; there are: ${there.filter(Boolean).join(' | ') || 'none'}`);
  }
}

/** A row of a table. */
export class Row extends Part {
  /** Its cells with a space between them. */
  get name(): string {
    return this.#cells('th, td, [role="gridcell"], [role="rowheader"], [role="columnheader"]').join(' ');
  }

  /** Its cells without its head. */
  get cells(): string[] {
    return this.#cells('td, [role="gridcell"]');
  }

  #cells(selector: string): string[] {
    return this.element.querySelectorAll(selector).map(({ text }) => squeeze(text));
  }
}

const TABLES = 'table, [role="grid"]';
const NAMED = 'section, nav, [role="region"], [role="group"], [role="dialog"], [role="navigation"], dialog, fieldset, aside, table, form';

/** A page as the server sent it, with what was streamed later inserted. */
export class ShownPage extends Part {
  readonly status: number;
  readonly path: string;
  /** The bytes as text, for what may not be in them, shown or not. */
  readonly html: string;
  readonly #folded: { summary: string; content: HTMLElement }[] = [];

  constructor({ status, path, html }: { status: number; path: string; html: string }) {
    const root = parse(html, { comment: true });
    super(root);
    this.status = status;
    this.path = path;
    this.html = html;
    placeStreamed(root);
    removeComments(root);
    for (const element of root.querySelectorAll('head, script, style, template, [hidden], [popover], dialog:not([open])')) element.remove();
    for (const details of root.querySelectorAll('details:not([open])')) this.#fold(details);
  }

  /** The title of the page. */
  get heading(): string {
    const titles = this.headings(1);
    if (titles.length !== 1) throw new Error(`${titles.length} titles: ${titles.join(' | ')}`);
    return titles[0] ?? '';
  }

  /** The page without its frame. */
  get main(): Part {
    const main = this.element.querySelector('main');
    if (!main) throw new Error('The page has no main part.');
    return new Part(main);
  }

  /** What a click on that summary unfolds. */
  unfold(summary: Name): Part {
    const found = this.#folded.find((each) => isNamed(each.summary, summary));
    if (!found)
      throw new Error(`Nothing unfolds under ${String(summary)}; there are: ${this.#folded.map((each) => each.summary).join(' | ')}`);
    return new Part(found.content);
  }

  /** Whatever a click on a summary unfolds. */
  get folded(): Part[] {
    return this.#folded.map(({ content }) => new Part(content));
  }

  #fold(details: HTMLElement): void {
    const summary = details.querySelector('summary');
    const content = parse('<div></div>').querySelector('div') as HTMLElement;
    for (const node of details.childNodes.filter((each) => each !== summary)) {
      node.remove();
      content.appendChild(node);
    }
    this.#folded.push({ summary: squeeze(summary?.text ?? ''), content });
  }
}

/** Replaces the placeholders with what React streamed after the page. Throws when something is still loading. */
function placeStreamed(root: HTMLElement): void {
  for (const [, kind, index, source] of root.outerHTML.matchAll(/\$(RC|RS)\("([^"]+)","([^"]+)"/g)) {
    const [id, content] = kind === 'RC' ? [index, source] : [source, index];
    const template = root.querySelector(`template[id="${id}"]`);
    const streamed = root.querySelector(`[id="${content}"]`);
    if (!template || !streamed) continue;
    if (kind === 'RC') removeFallback(template);
    streamed.remove();
    template.replaceWith(...streamed.childNodes);
  }
  const left = root.querySelector('template[id^="B:"], template[id^="P:"]');
  if (left) throw new Error(`Part ${left.id} of the page never came.`);
}

/** Removes what is shown while a part loads: the nodes after its template, up to the comment that ends it. */
function removeFallback(template: HTMLElement): void {
  const siblings: Node[] = template.parentNode?.childNodes ?? [];
  let depth = 0;
  for (const node of siblings.slice(siblings.indexOf(template) + 1)) {
    const comment = node.nodeType === 8 ? node.rawText : '';
    if (comment === '/$' && depth === 0) return;
    if (comment.startsWith('$')) depth += 1;
    if (comment === '/$') depth -= 1;
    node.remove();
  }
}

function removeComments(element: HTMLElement): void {
  for (const comment of element.childNodes.filter(({ nodeType }) => nodeType === 8)) comment.remove();
  for (const child of element.children) removeComments(child);
}

/** The accessible name: what labels the element, or its words. */
function nameOf(element: HTMLElement): string {
  const label = element.getAttribute('aria-label');
  if (label) return squeeze(label);
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  let root = element;
  while (root.parentNode) root = root.parentNode;
  if (ids.length > 0) return squeeze(ids.map((id) => root.querySelector(`[id="${id}"]`)?.text ?? '').join(' '));
  const own = { TABLE: 'caption', FIELDSET: 'legend' }[element.tagName];
  if (own) return squeeze(element.querySelector(own)?.text ?? '');
  return ['SECTION', 'NAV', 'FORM', 'ASIDE', 'DIALOG'].includes(element.tagName) ? '' : squeeze(element.text);
}

function isNamed(text: string, name: Name, how: 'whole' | 'part' = 'part'): boolean {
  if (typeof name !== 'string') return name.test(text);
  return how === 'whole' ? text === name : text.includes(name);
}

function squeeze(text: string): string {
  return text.replaceAll(/[\s\u200b]+/g, ' ').trim();
}
