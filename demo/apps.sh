# shellcheck shell=bash
# Sourced by ./dev: real web apps of the catalogue, as an environment of the demo site. A site has it after this; without
# it the site has no such apps.

APPS=$CACHE/environments/apps

install_apps() {
  stamped apps requirements/environment-apps.txt && [[ -x $APPS/bin/streamlit ]] && return
  step "Streamlit, Gradio, Voilà, MLflow and Dask, for the tests" make_apps
  stamp apps requirements/environment-apps.txt
}
make_apps() {
  "$UV" venv --quiet --clear --python $PYTHON "$APPS"
  "$UV" pip sync --quiet --python "$APPS/bin/python" --require-hashes requirements/environment-apps.txt
}
