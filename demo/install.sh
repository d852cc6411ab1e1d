# Sourced by ./dev: brings in what the demo site and the tests need, each part only if it is missing or outdated.
# Packages of the system come from apt, everything else goes into the clone (.cache, .venv, node_modules).

SITE_PACKAGES=(slurmctld slurmd slurmdbd slurm-client slurm-wlm-mysql-plugin munge slapd ldap-utils
  mariadb-server-core mariadb-client-core sudo openssl python3-venv)
SERVICES_OF_PACKAGES=(slurmctld slurmd slurmdbd munge slapd)
NODE_OLDEST=20019000 # 20.19.0: what the front end's tools need

say() { printf '%s\n' "$*"; }
die() { printf '✗ %s\n' "$*" >&2; exit 1; }

as_root() {
  if ((EUID == 0)); then "$@"; else
    command -v sudo >/dev/null || die "This needs root and there is no sudo. Run it as root, or install sudo."
    sudo "$@"
  fi
}

# step TITLE FUNCTION: run it with its output in a log; say how long it took, or why it failed and what to do.
step() {
  local title=$1 function=$2 started=$SECONDS log
  log=$CACHE/log/$function.log
  mkdir -p "$CACHE/log"
  printf '· %s …' "$title"
  if (set -Eeuo pipefail; "$function") >"$log" 2>&1; then
    printf '\r✓ %s (%d s)\n' "$title" $((SECONDS - started))
  else
    printf '\r✗ %s failed after %d s. The end of %s:\n\n' "$title" $((SECONDS - started)) "${log#"$ROOT"/}" >&2
    tail -n 20 "$log" | sed 's/^/    /' >&2
    printf '\nMend what it says (often: the network, or a full disk) and run the same command again.\n' >&2
    exit 1
  fi
}

# stamped NAME FILE…: succeed when NAME was finished with these very files.
stamped() { [[ -f $CACHE/stamp/$1 && $(<"$CACHE/stamp/$1") == "$(sum_of "${@:2}")" ]]; }
stamp() { mkdir -p "$CACHE/stamp" && sum_of "${@:2}" >"$CACHE/stamp/$1"; }
sum_of() { sha256sum -- "$@" | sha256sum | cut -c1-64; }

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || printf '%s\n' "$package"
  done
}

install_packages() {
  local policy=/usr/sbin/policy-rc.d service
  # Nothing may be started: the demo runs daemons of its own. A policy that is there already stays.
  if [[ ! -e $policy ]]; then
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi
  as_root apt-get update -q
  echo 'slapd slapd/no_configuration boolean true' | as_root debconf-set-selections
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${WANTED[@]}"
  # And nothing of it at the next boot.
  for service in "${SERVICES_OF_PACKAGES[@]}"; do
    if [[ " ${WANTED[*]} " == *" $service "* ]]; then
      as_root systemctl disable "$service" || as_root update-rc.d "$service" disable || true
    fi
  done
}

install_uv() {
  $PYTHON -m venv "$CACHE/boot"
  "$CACHE/boot/bin/pip" install -q --require-hashes -r requirements/boot.txt
}

install_python() {
  [[ -x $VENV/bin/python ]] || "$UV" venv -q --python $PYTHON "$VENV"
  "$UV" pip sync -q --python "$VENV/bin/python" --require-hashes --compile-bytecode requirements/dev.txt
  "$UV" pip install -q --python "$VENV/bin/python" --no-deps --editable .
  # The same, relative: services see the clone at another path (demo/site.py).
  echo ../../../.. >"$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/clone.pth"
}

install_all() {
  local WANTED
  [[ -r /etc/debian_version ]] || die "./dev knows Debian and Ubuntu; this is something else."
  mapfile -t WANTED < <(missing_packages "${SITE_PACKAGES[@]}")
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  stamped uv requirements/boot.txt && [[ -x $UV ]] || { step "uv" install_uv && stamp uv requirements/boot.txt; }
  stamped python requirements/dev.txt pyproject.toml && [[ -x $VENV/bin/python ]] ||
    { step "Python environment .venv" install_python && stamp python requirements/dev.txt pyproject.toml; }
}

lock_requirements() {
  install_all
  lock() { "$UV" pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
    --no-annotate --no-emit-index-url --excludes requirements/excluded.txt "$@"; }
  lock pyproject.toml -o requirements/portal.txt
  lock pyproject.toml --extra dev -o requirements/dev.txt
  lock requirements/session.in -o requirements/session.txt
  lock requirements/boot.in -o requirements/boot.txt
}
