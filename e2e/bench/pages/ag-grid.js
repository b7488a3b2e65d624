// AG Grid Community as its documentation starts it, as a component of a signed-in page: its code and rows load beside React's, and it is drawn in the
// frame as soon as React has taken that over. The frame has no table of its own. Follows the bundle of AG Grid in one file.
const { agGrid } = window;
const script = document.currentScript.src;
const parameters = new URL(script).searchParams;
const loading = fetch(new URL(parameters.get('rows'), script)).then((answer) => answer.json());

function drawInFrame() {
  const main = document.querySelector('main');
  if (main === null || !Object.keys(main).some((key) => key.startsWith('__reactProps'))) return void setTimeout(drawInFrame);
  const table = document.createElement('div');
  table.id = 'table';
  table.style.height = '640px';
  main.prepend(table);
  agGrid.ModuleRegistry.registerModules([agGrid.AllCommunityModule]);
  const grid = agGrid.createGrid(table, {
    rowHeight: 36,
    columnDefs: JSON.parse(parameters.get('columns')).map((field) => ({
      field,
      sortable: true,
      width: 130,
      comparator: (a, b) => Number(a) - Number(b),
    })),
    rowData: null,
    onFirstDataRendered: () => {
      table.dataset.ready = '';
    },
  });
  void loading.then((rows) => grid.setGridOption('rowData', rows));
}
drawInFrame();
