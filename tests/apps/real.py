"""Real apps for a demo site: their environment (./dev test apps installs it), and a user's files for them."""

from __future__ import annotations

import json
from pathlib import Path

from demo.site import INSIDE
from tests.apps import llama_server
from tests.demo_site import DemoSite

TOML = INSIDE / "portal" / "portal.toml"
PYTHON = INSIDE / "environments" / "apps" / "bin" / "python"
LLAMA = INSIDE / "llama"
DESK = INSIDE / "shared" / "desk"
SWITCHED_ON = ("streamlit", "gradio", "voila", "mlflow", "model", "desktop")
SITE = f"""
[environments.apps]
title = "Web apps"
path = "{INSIDE}/environments/apps"

[environments.vscode]
title = "VS Code"
path = "{INSIDE}/environments/vscode"

[environments.llama]
title = "llama.cpp"
path = "{LLAMA}"

[environments.desk]
title = "A desktop in an image"
kind = "image"
path = "{DESK}"
""" + "".join(f"\n[apps.{name}]\nenabled = true\n" for name in SWITCHED_ON)
SITE += 'shareable = "both"\nenvironments = ["base", "desk"]\n'  # of the desktop, which is the last

STREAMLIT = """
import streamlit as st
if st.button("Add up"):
    st.write("The sum is", 40 + 2)
"""
GRADIO = """
import gradio as gr
with gr.Blocks() as demo:
    name = gr.Textbox(label="Name")
    greeting = gr.Textbox(label="Greeting")
    gr.Button("Greet").click(lambda name: f"Hello {name.upper()}", name, greeting)
demo.launch()
"""
VOILA = """
import ipywidgets as widgets
button, shown = widgets.Button(description="Add up"), widgets.Label("Nothing yet")
def add(_): shown.value = f"The sum is {40 + 2}"
button.on_click(add)
widgets.VBox([button, shown])
"""
DASK = """
from dask.distributed import Client, LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:18787")
    client = Client(cluster)
    print(client.submit(sum, [40, 2]).result(), flush=True)
    import time
    time.sleep(600)
"""
OPTIONS = {
    "streamlit": {"script": "~/apps/streamlit_app.py"},
    "gradio": {"script": "~/apps/gradio_app.py"},
    "voila": {"notebook": "~/apps/voila_app.ipynb"},
    "mlflow": {"folder": "~/apps/mlruns"},
    "model": {"model": "~/apps/tiny.gguf", "context": "512"},
    "vscode": {"folder": "~/apps"},
    "desktop": {},
}


def bring_in(site: DemoSite, user: str) -> None:
    """Switch the apps on, once a site, and write a user's files for them."""
    program = Path(llama_server.__file__).read_text()
    if "[environments.apps]" not in site.run("cat", str(TOML)):
        site.run("mkdir", "-p", f"{LLAMA}/bin")
        site.run("install", "-m", "755", "/dev/stdin", f"{LLAMA}/bin/llama-server", stdin=f"#!{PYTHON} -I\n{program}")
        site.run("ln", "-sfn", str(PYTHON), f"{LLAMA}/bin/python")
        site.run("tee", "-a", str(TOML), stdin=SITE)
        site.restart("portal")
    cell = {"cell_type": "code", "source": VOILA, "metadata": {}, "outputs": [], "execution_count": None, "id": "a"}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    files = {
        "streamlit_app.py": STREAMLIT,
        "gradio_app.py": GRADIO,
        "voila_app.ipynb": json.dumps(notebook),
        "dask_app.py": DASK,
        "notes.txt": "first line\n",
    }
    site.run("mkdir", "-p", f"{INSIDE}/home/{user}/apps", user=user)
    for name, text in files.items():
        site.run("tee", f"{INSIDE}/home/{user}/apps/{name}", user=user, stdin=text)
    site.run(str(PYTHON), "-I", "-", "--make", f"{INSIDE}/home/{user}/apps/tiny.gguf", user=user, stdin=program)
