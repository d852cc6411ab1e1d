# shellcheck shell=bash
# Sourced by ./dev: kernels of other languages, for the demo site and the tests. R is Debian's package on the nodes.
# Python 2 comes as an image folder: Debian 11's, the last release with one, unpacked with the packages of the last
# Jupyter kernel for it. apt checks Debian's signatures, pip the hashes.

PYTHON2=$CACHE/images/python2
PYTHON2_PACKAGES=(python2.7 base-files coreutils dash libstdc++6)
# Needed only by the packages' own installation scripts, which do not run.
PYTHON2_LEFT_OUT='^(perl|libperl|dpkg|tar|mawk|debconf|mime-support|mailcap)[0-9._-]'

install_kernels() {
  local WANTED
  # shellcheck disable=SC2046 # names of packages
  mapfile -t WANTED < <(missing_packages r-cran-irkernel $(packages_for_debian))
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  stamped python2 demo/kernels.sh requirements/python2.txt && [[ -d $PYTHON2 ]] && return
  step "Python 2, as an image" make_python2
  stamp python2 demo/kernels.sh requirements/python2.txt
}

make_python2() {
  local work package root site APT
  [[ $(dpkg --print-architecture) == amd64 ]] || die "The image of Python 2 is made for amd64 only."
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  apt_of_debian bullseye "$work"
  apt-get "${APT[@]}" --download-only install "${PYTHON2_PACKAGES[@]}"
  root=$work/root
  mkdir "$root"
  for package in "$work"/cache/archives/*.deb; do
    [[ ${package##*/} =~ $PYTHON2_LEFT_OUT ]] || dpkg-deb -x "$package" "$root"
  done
  rm -rf "$root"/usr/share/{doc,man,locale} "$root/usr/lib/x86_64-linux-gnu/gconv"
  site=$root/usr/local/lib/python2.7/dist-packages
  mkdir -p "$site" "$root/usr/local/share/jupyter/kernels/python2"
  "$CACHE/boot/bin/pip" download --disable-pip-version-check --no-deps --require-hashes --python-version 27 \
    --implementation cp --abi cp27mu --abi none --platform manylinux1_x86_64 --platform any \
    --dest "$work/packages" --requirement requirements/python2.txt
  # Build nothing: a wheel is its files, and from packages without one only the modules are needed.
  for package in "$work"/packages/*.whl "$work"/packages/*.zip; do
    "$PYTHON" -m zipfile -e "$package" "$site"
  done
  for package in "$work"/packages/*.tar.gz; do tar -xzf "$package" -C "$site"; done
  mv "$site"/simplegeneric-*/simplegeneric.py "$site"/scandir-*/scandir.py "$site"/tornado-*/tornado "$site"
  rm -rf "$site"/{simplegeneric,scandir,tornado}-*
  cat >"$root/usr/local/share/jupyter/kernels/python2/kernel.json" <<'JSON'
{"argv": ["python2.7", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 2", "language": "python"}
JSON
  chmod -R go+rX "$root"
  rm -rf "$PYTHON2"
  mkdir -p "${PYTHON2%/*}"
  mv "$root" "$PYTHON2"
}
