# shellcheck shell=bash
# Sourced by ./dev: pyslurm, in two ways.
#
# Where the machine's Slurm matches its series (Ubuntu 26.04), it is installed into the portal's own environment, as on
# a site, and a demo site can read Slurm through it (DSP_DEMO_CLIENT=pyslurm).
#
# Elsewhere a matching Slurm is unpacked into a folder, for tests and a benchmark: Debian 12 has 22.05, for which no
# pyslurm is published. Only Python, the compiler and (in the tests) Slurm run from Ubuntu's packages; nothing of it
# reaches the machine or the demo site.

CLIENT_PACKAGES=(gcc libc6-dev python3-dev libslurm-dev)

PYSLURM_ROOT=$CACHE/pyslurm
PYSLURM_PACKAGES=(base-files base-passwd bash coreutils dash findutils grep hostname libc-bin login passwd sed util-linux
  slurmctld slurmd slurmdbd slurm-client slurm-wlm-mysql-plugin libslurm-dev munge mariadb-server gcc libc6-dev
  python3-dev python3-venv)
UBUNTU=resolute
UBUNTU_LIBRARIES=/usr/lib/x86_64-linux-gnu
# Ubuntu's package signing keys: Debian 12 does not package them, so they are checked by their checksum.
UBUNTU_KEYS=ubuntu-keyring
UBUNTU_KEYS_SUM=c377ccf26964f4c206c05c0bc7adb708e031beb919bb9a0ff63af983d064cd66

install_client() {
  local WANTED fits installed
  fits=$(sed -n 's/^pyslurm==\([0-9]*\.[0-9]*\)\..*/\1/p' requirements/pyslurm.txt)
  installed=$(/usr/sbin/slurmctld -V) # squeue would need a cluster
  [[ $installed == *" $fits."* ]] || die "pyslurm fits Slurm $fits, and this is $installed. Leave DSP_DEMO_CLIENT out."
  mapfile -t WANTED < <(missing_packages "${CLIENT_PACKAGES[@]}")
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  compgen -G "$VENV/lib/python3*/site-packages/pyslurm" >/dev/null && stamped client requirements/pyslurm.txt && return
  step "pyslurm" build_client
  stamp client requirements/pyslurm.txt
}

build_client() {
  sed -n '/^pyslurm==/,/--hash/p' requirements/pyslurm.txt |
    SLURM_LIB_DIR=/usr/lib/$(gcc -print-multiarch) CFLAGS="-O1 -g0" "$UV" pip install --quiet --python "$VENV/bin/python" \
      --no-deps --require-hashes --build-constraints requirements/pyslurm.txt --requirement -
}

install_pyslurm() {
  local WANTED
  mapfile -t WANTED < <(missing_packages debootstrap)
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  stamped pyslurm demo/pyslurm.sh requirements/pyslurm.txt && [[ -d $PYSLURM_ROOT ]] && return
  step "Slurm and a pyslurm that fits it, in ${PYSLURM_ROOT#"$ROOT"/}" make_pyslurm
  stamp pyslurm demo/pyslurm.sh requirements/pyslurm.txt
}

make_pyslurm() {
  local work new mirror package APT
  ((EUID == 0)) || die "This needs root: sudo ./dev pyslurm"
  [[ $(dpkg --print-architecture) == amd64 ]] || die "The folder is made for amd64 only."
  # On Ubuntu, debootstrap's default.
  mirror=$(sed -n 's/^\s*default_mirror \(.*archive\..*\)$/\1/p' /usr/share/debootstrap/scripts/gutsy)
  work=$(mktemp -d)
  new=$PYSLURM_ROOT.new
  trap "rm -rf -- ${work@Q} ${new@Q}" EXIT
  apt_of "deb [trusted=yes] $mirror $UBUNTU main" "$work"
  (cd "$work" && apt-get "${APT[@]}" download "$UBUNTU_KEYS")
  sha256sum --check <<<"$UBUNTU_KEYS_SUM  $(echo "$work/$UBUNTU_KEYS"_*.deb)"
  dpkg-deb -x "$work/$UBUNTU_KEYS"_*.deb "$work/keys"
  rm -rf "$work/lists" "$new"
  apt_of "deb [signed-by=$work/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg] $mirror $UBUNTU main universe" "$work"
  apt-get "${APT[@]}" --download-only install "${PYSLURM_PACKAGES[@]}"
  mkdir -p "$new"/usr/{bin,sbin,lib,lib64}
  ln -s usr/bin usr/sbin usr/lib usr/lib64 "$new"
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$new" --keep-directory-symlink --exclude=./usr/share/{doc,man,locale}
  done
  furnish_pyslurm "$new"
  rm -rf "$PYSLURM_ROOT"
  mv "$new" "$PYSLURM_ROOT"
}

# What the packages' installation scripts would have made, as far as it is needed, and pyslurm.
furnish_pyslurm() {
  local root=$1 account number=800 program locked pip
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  for account in munge slurm mysql; do
    echo "$account:x:$((++number)):$number::/nonexistent:/usr/sbin/nologin" >>"$root/etc/passwd"
    echo "$account:x:$number:" >>"$root/etc/group"
  done
  for program in slurmctld slurmd slurmstepd; do ln -s "$program-wlm" "$root/usr/sbin/$program"; done
  ln -s mawk "$root/usr/bin/awk"
  rmdir "$root/var/run"
  ln -s ../run "$root/var/run"
  chroot "$root" /usr/sbin/ldconfig
  mkdir -p -m 1777 "$root/dev/shm"
  mknod -m 666 "$root/dev/null" c 1 3
  mknod -m 666 "$root/dev/urandom" c 1 9
  # The machine's own name resolution and certificates.
  cp /etc/resolv.conf "$root/etc/"
  install -D /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  chroot "$root" python3 -m venv /opt/pyslurm
  # Build dependencies first; after that no index is used.
  sed '/^pyslurm==/,/--hash/d' requirements/pyslurm.txt >"$root/opt/tools.txt"
  cp requirements/pyslurm.txt "$root/opt/all.txt"
  pip=(chroot "$root" env CC=gcc CFLAGS="-O2 -g0" "SLURM_LIB_DIR=$UBUNTU_LIBRARIES" PIP_CERT=/etc/ssl/certs/ca-certificates.crt
    /opt/pyslurm/bin/pip install --quiet --no-build-isolation --require-hashes --requirement)
  for locked in tools all; do "${pip[@]}" "/opt/$locked.txt"; done
  chroot "$root" env PYSLURM_DISABLE_AUTO_INIT=1 /opt/pyslurm/bin/python -c 'import pyslurm'
}
