# Runs a notebook from top to bottom and saves it, with its output, as NAME-JOB.ipynb. The parameters, in JSON, are set
# in a new cell after the cell tagged "parameters", or at the top.
python3 - <<'PYTHON'
import json, os, pathlib
import nbformat
from nbclient import NotebookClient

source = pathlib.Path(os.environ["NOTEBOOK"])
if source.name == "example.ipynb" and not source.exists():
    example = [nbformat.v4.new_code_cell("epochs = 1", metadata={"tags": ["parameters"]})]
    example.append(nbformat.v4.new_code_cell("for epoch in range(epochs):\n    print('epoch', epoch)"))
    nbformat.write(nbformat.v4.new_notebook(cells=example), source)
notebook = nbformat.read(source, as_version=4)
at = next((at + 1 for at, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", [])), 0)
values = json.loads(os.environ["PARAMETERS"])
lines = ["# Parameters", *(f"{name} = {value!r}" for name, value in values.items())]
notebook.cells.insert(at, nbformat.v4.new_code_cell("\n".join(lines)))

client = NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(source.parent)}})
client.on_cell_executed = lambda cell, cell_index, **_: print(f"cell {cell_index + 1} of {len(notebook.cells)}", flush=True)
result = source.with_name(f"{source.stem}-{os.environ['SLURM_JOB_ID']}.ipynb")
try:
    client.execute()
finally:
    nbformat.write(notebook, result)
    print(f"saved as {result}")
PYTHON
