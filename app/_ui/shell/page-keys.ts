/**
 * Keys and presses that work from the first moment of a page: they open the search box, so that no key typed after it is lost. Its text is part
 * of each page and runs before any other script, so it uses nothing outside itself. The box is in the page as well, and nothing replaces its field.
 */
export function listenForKeys(): void {
  // Typed after Ctrl K, before the browser has read as far as the box; null: nobody wants it yet.
  let early: string | null = null;
  let pressed: EventTarget | null = null;
  /** The next key goes to a page, for a moment after `g`. */
  let going: ReturnType<typeof setTimeout> | undefined;

  const findBox = (): HTMLDialogElement | null => document.querySelector('#search');

  function openSearch(text: string, game?: string): void {
    const box = findBox();
    const field = box?.querySelector('input');
    if (!box || !field || box.open) return;
    early = null;
    field.value = text;
    const games = box.querySelector('select');
    if (games && game !== undefined) games.value = game;
    // A button that names a text and a game searches at once.
    box.dataset['entered'] = game === undefined ? '' : text;
    box.showModal();
    field.focus();
    box.dispatchEvent(new Event('open'));
  }

  function onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const box = findBox();
    if (early !== null && box !== null) openSearch(early);
    if (event.isComposing || altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'k' || event.shiftKey || (box === null && document.readyState !== 'loading')) return;
      event.preventDefault();
      if (box === null) early ??= '';
      else openSearch('');
    } else if (early !== null) {
      event.preventDefault();
      early = key === 'Backspace' ? early.slice(0, -1) : early + (key.length === 1 ? key : '');
    } else if (box?.open) {
      const field = box.querySelector('input');
      // For the code of the results, should it not be there yet.
      if (key === 'Enter' && target === field) box.dataset['entered'] = field?.value;
      else if (!target.closest('#search :is(input, select, button)')) field?.focus();
    } else if (!target.closest('input, textarea, select, [contenteditable], dialog, [popover], [role="application"]')) onSingleKey(event);
  }

  function onSingleKey(event: KeyboardEvent): void {
    const { key } = event;
    const { dataset } = document.documentElement;
    const isGoing = going !== undefined;
    clearTimeout(going);
    going = undefined;
    delete dataset['going'];
    if (document.querySelector('dialog[open], [data-single-keys="off"]')) return;
    if (key === 'g' && !isGoing) {
      dataset['going'] = '';
      going = setTimeout(() => {
        going = undefined;
        delete dataset['going'];
      }, 2_000);
      return;
    }
    // The last one of the page: a table's own search comes after that of the sidebar.
    const control = [...document.querySelectorAll<HTMLElement>(`[data-key="${CSS.escape(isGoing ? `g ${key}` : key)}"]`)].at(-1);
    if (control && !event.repeat) {
      event.preventDefault();
      if (control.matches('input')) control.focus();
      else control.click();
    } else if (!isGoing && (key === 'j' || key === 'k') && !document.activeElement?.matches('[role="grid"]')) moveInList(event);
  }

  /** Gives the focus to the first link of the next or the previous row, or to a long table, which has keys of its own. Enter opens it. */
  function moveInList(event: KeyboardEvent): void {
    const rows = [...document.querySelectorAll<HTMLElement>('main :is(tbody tr, [data-row], [role="grid"])')];
    const stops = rows.map((row) => (row.matches('[role="grid"]') ? row : row.querySelector<HTMLElement>('a[href]')));
    const visible = stops.filter((stop) => stop !== null && stop.getClientRects().length > 0);
    const current = visible.findIndex((stop) => stop?.closest('tr, [data-row], [role="grid"]')?.contains(document.activeElement));
    const next = visible[event.key === 'j' ? current + 1 : current === -1 ? visible.length - 1 : current - 1];
    if (!next) return;
    event.preventDefault();
    next.focus();
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
  addEventListener('DOMContentLoaded', () => {
    if (early !== null) openSearch(early);
    early = null;
  });
}
