# shellcheck shell=bash
# Sourced by ./dev: what the tests make a site look like Red Hat Enterprise Linux 9 with. The system's Python is 3.9
# there. Debian 11's is, too: it is unpacked into a folder, which the tests lay over /usr. apt checks its signatures.

EL9=$CACHE/el9
# With the libraries of Debian 11 that later releases have under other names.
EL9_PYTHON=(python3.9 python3.9-minimal libpython3.9-minimal libpython3.9-stdlib libssl1.1 libffi7)

install_el9() {
  local WANTED
  # shellcheck disable=SC2046 # names of packages
  mapfile -t WANTED < <(missing_packages systemd $(packages_for_debian))
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  stamped el9 demo/el9.sh && [[ -d $EL9 ]] && return
  step "Python 3.9 of Debian 11" make_el9
  stamp el9 demo/el9.sh
}

make_el9() {
  local work new=$EL9.new package APT
  [[ $(dpkg --print-architecture) == amd64 ]] || die "The folder is made for amd64 only."
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  apt_of_debian bullseye "$work"
  rm -rf "$new" "$EL9"
  mkdir -p "$work/debs" "$new"
  (cd "$work/debs" && apt-get "${APT[@]}" download "${EL9_PYTHON[@]}")
  for package in "$work"/debs/*.deb; do dpkg-deb -x "$package" "$new"; done
  rm -rf "$new"/usr/share "$new/usr/lib/valgrind"
  ln -s python3.9 "$new/usr/bin/python3"
  # Where `dnf module install nodejs` puts them.
  ln -s /run/portal-demo/src/.cache/node/{node,npm} "$new/usr/bin"
  chmod -R go+rX "$new"
  mv "$new" "$EL9"
}
