// The least a table can cost: rows of plain elements, as many as are visible, filled again when they scroll into another place.
const HEIGHT = 36;
const columns = JSON.parse(new URLSearchParams(location.search).get('columns'));
const table = document.getElementById('table');
const space = document.getElementById('space');
const pool = [];
let rows = [];

for (const column of columns) {
  const button = document.createElement('button');
  button.textContent = column;
  button.dataset.column = column;
  button.addEventListener('click', () => sortBy(column));
  document.getElementById('head').append(button);
}

function fill() {
  const first = Math.floor(table.scrollTop / HEIGHT);
  const count = Math.ceil(table.clientHeight / HEIGHT) + 1;
  while (pool.length < count) {
    const row = document.createElement('div');
    row.className = 'row';
    row.setAttribute('role', 'row');
    row.tabIndex = -1;
    for (const _ of columns) row.append(document.createElement('span'));
    space.append(row);
    pool.push(row);
  }
  for (let index = first; index < first + count; index += 1) {
    const row = pool[index % count];
    const data = rows[index];
    row.style.transform = `translateY(${index * HEIGHT}px)`;
    row.hidden = data === undefined;
    if (data) for (const [place, column] of columns.entries()) row.children[place].textContent = data[column] ?? '';
  }
}

function sortBy(column) {
  rows.sort((a, b) => Number(a[column]) - Number(b[column]));
  table.scrollTop = 0;
  fill();
}

table.addEventListener('scroll', fill);
async function load() {
  const answer = await fetch(new URLSearchParams(location.search).get('rows'));
  rows = await answer.json();
  space.style.height = `${rows.length * HEIGHT}px`;
  fill();
  table.dataset.ready = '';
}
void load();
