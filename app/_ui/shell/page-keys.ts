/**
 * Keys and presses that work from the first moment of a page: they open the search box, so that no key typed after it is lost. Its text is part
 * of each page and runs before any other script, so it uses nothing outside itself. The box is in the page as well, and nothing replaces its field.
 * A page may begin with a search field of its own: what is typed there, or before anything else has the focus, continues in the box.
 */
export function listenForKeys(): void {
  const SEARCH = 'Control K';
  /** Pressed before the browser has read what they act on. */
  let held: string[] = [];
  let pressed: EventTarget | null = null;
  /** The next key goes to a page, for a moment after `g`. */
  let going: ReturnType<typeof setTimeout> | undefined;

  const findBox = (): HTMLDialogElement | null => document.querySelector('#search');
  const isRead = (): boolean => document.readyState !== 'loading' || document.querySelector('[data-frame-end]') !== null;

  /** The search field that the page begins with, until something else has the focus; null: it has none. */
  const findFirstField = (): HTMLInputElement | null =>
    document.activeElement === document.body ? document.querySelector('[data-search-field]') : null;

  /** Opens the box, and returns its field; null: it is open already, or the page has none. */
  function openSearch(text = '', game?: string): HTMLInputElement | null {
    const box = findBox();
    const field = box?.querySelector('input');
    if (!box || !field || box.open) return null;
    field.value = text;
    const games = box.querySelector('select');
    if (games && game !== undefined) games.value = game;
    // A button that names a text and a game searches at once.
    box.dataset['entered'] = game === undefined ? '' : text;
    box.showModal();
    field.focus();
    box.dispatchEvent(new Event('open'));
    return field;
  }

  function onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isSearch = (ctrlKey || metaKey) && key.toLowerCase() === 'k' && !event.shiftKey;
    if (event.isComposing || altKey || ((ctrlKey || metaKey) && !isSearch)) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const box = findBox();
    if (box?.open && !isSearch) {
      const field = box.querySelector('input');
      // For the code of the results, should it not be there yet.
      if (key === 'Enter' && target === field) box.dataset['entered'] = field?.value;
      else if (!target.closest('#search :is(input, select, button)')) field?.focus();
    } else if (isSearch && (box !== null || document.readyState !== 'loading')) {
      if (box !== null) event.preventDefault();
      openSearch();
    } else if (!isSearch && target.closest('input, textarea, select, [contenteditable], dialog, [popover], [role="application"]')) {
      // From there single keys are out of reach.
      if (key === 'Escape' && target.matches('[data-search-field]')) (target as HTMLElement).blur();
    } else if (held.length === 0 && isRead() && (document.readyState !== 'loading' || findFirstField() === null)) {
      if (pressKey(key, event.repeat) !== null) event.preventDefault();
    } else hold(event, isSearch);
  }

  const arrivals = new MutationObserver(release);

  /** Holds a key back until the browser has read what it acts on. */
  function hold(event: KeyboardEvent, isSearch: boolean): void {
    const { key } = event;
    if (!isSearch && !(held.length === 0 ? /^\S$/u : /^(.|Enter|Backspace)$/u).test(key)) return;
    event.preventDefault();
    arrivals.observe(document, { childList: true, subtree: true });
    held.push(isSearch ? SEARCH : key);
    release();
  }

  /** Presses the keys that were held. What follows one that leads to a field is its text. */
  function release(): void {
    const [first] = held;
    if (first === undefined || !(isRead() || (first === SEARCH && findBox() !== null))) return;
    arrivals.disconnect();
    const keys = held;
    held = [];
    let field = first !== SEARCH && findFirstField() !== null ? openSearch() : null;
    for (const key of keys) {
      if (field === null) {
        const control = key === SEARCH ? openSearch() : pressKey(key, false);
        const box = findBox();
        field = control instanceof HTMLInputElement ? control : box?.open ? box.querySelector('input') : null;
      } else if (key === 'Backspace') field.value = field.value.slice(0, -1);
      else if (key === 'Enter') field.closest('dialog')?.setAttribute('data-entered', field.value);
      else if (key !== SEARCH) field.value += key;
    }
    // In case the results code has loaded.
    field?.closest('dialog')?.dispatchEvent(new Event('open'));
  }

  /** Does what a single key is for, and returns the control that it pressed; null: none. */
  function pressKey(key: string, isRepeated: boolean): HTMLElement | null {
    const { dataset } = document.documentElement;
    const isGoing = going !== undefined;
    clearTimeout(going);
    going = undefined;
    delete dataset['going'];
    if (document.querySelector('dialog[open], [data-single-keys="off"]')) return null;
    // A second `g` begins again.
    if (key === 'g') {
      dataset['going'] = '';
      going = setTimeout(() => {
        going = undefined;
        delete dataset['going'];
      }, 2_000);
      return null;
    }
    // The last one of the page: a table's own search comes after that of the sidebar.
    const control = [...document.querySelectorAll<HTMLElement>(`[data-key="${CSS.escape(isGoing ? `g ${key}` : key)}"]`)].at(-1);
    if (control && !isRepeated) {
      if (control.matches('input')) control.focus();
      else control.click();
      return control;
    }
    return !isGoing && (key === 'j' || key === 'k') && !document.activeElement?.matches('[role="grid"]') ? moveInList(key) : null;
  }

  /** Gives the focus to the first link of the next or the previous row, or to a long table, which has keys of its own. Enter opens it. */
  function moveInList(key: 'j' | 'k'): HTMLElement | null {
    const rows = [...document.querySelectorAll<HTMLElement>('main :is(tbody tr, [data-row], [role="grid"])')];
    const stops = rows.map((row) => (row.matches('[role="grid"]') ? row : row.querySelector<HTMLElement>('a[href]')));
    const visible = stops.filter((stop) => stop !== null && stop.getClientRects().length > 0);
    const current = visible.findIndex((stop) => stop?.closest('tr, [data-row], [role="grid"]')?.contains(document.activeElement));
    const next = visible[key === 'j' ? current + 1 : current === -1 ? visible.length - 1 : current - 1];
    next?.focus();
    return next ?? null;
  }

  /** Continues in the box what was typed into the search field of the page, except within a composition. */
  function continueInBox(field: EventTarget | null, isComposing = false): void {
    if (!(field instanceof HTMLInputElement) || !field.matches('[data-search-field]') || isComposing || field.value === '') return;
    if (openSearch(field.value) !== null) field.value = '';
  }

  function onClick({ target }: MouseEvent): void {
    if (!(target instanceof Element)) return;
    const opener = target.closest<HTMLElement>('[data-search]');
    if (opener) {
      const { search = '', game } = opener.dataset;
      openSearch(search, game);
    }
    // Beside a dialog the target is the dialog itself. A selection that only ends there closes nothing.
    if (target instanceof HTMLDialogElement && pressed === target) target.close();
    if (!target.closest('a')) return;
    target.closest<HTMLElement>('[popover]')?.hidePopover();
    target.closest<HTMLDialogElement>('dialog[data-menu]')?.close();
  }

  if (/mac|iphone|ipad/i.test(navigator.userAgent)) document.documentElement.dataset['apple'] = '';
  // Captured, because React stops an event of a part that it hasn't made interactive yet.
  addEventListener('keydown', onKey, true);
  addEventListener('click', onClick, true);
  addEventListener('pointerdown', ({ target }) => {
    pressed = target;
  });
  addEventListener('DOMContentLoaded', release);
  addEventListener('input', (event) => continueInBox(event.target, (event as InputEvent).isComposing), true);
  addEventListener('compositionend', ({ target }) => continueInBox(target), true);
  // Before the style sheets have come, for which `autofocus` waits.
  document.addEventListener('readystatechange', () => {
    const field = findFirstField();
    field?.focus();
    continueInBox(field);
  });
}
