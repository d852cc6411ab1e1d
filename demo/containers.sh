# shellcheck shell=bash
# Sourced by ./dev: installs Apptainer, for images in the demo site and in the tests. Where the system has no package
# (Debian 12), Debian's own from a later series is unpacked with its libraries into .cache/apptainer, and its programs'
# interpreter and library path are set to that folder as the site sees it. apt checks Debian's signatures.

CONTAINER_PACKAGES=(squashfs-tools squashfuse uidmap)
APPTAINER=$CACHE/apptainer
# Where a demo site sees that folder; these programs start only inside a site.
APPTAINER_INSIDE=/run/portal-demo/src/.cache/apptainer

has_apptainer() { [[ -x /usr/bin/apptainer || -x $APPTAINER/usr/bin/apptainer ]]; }

install_containers() {
  local WANTED packages=("${CONTAINER_PACKAGES[@]}")
  if has_package apptainer; then
    packages+=(apptainer)
  else
    # shellcheck disable=SC2046,SC2206 # names of packages
    packages+=(patchelf $(packages_for_debian))
  fi
  mapfile -t WANTED < <(missing_packages "${packages[@]}")
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  has_apptainer || step "Apptainer, from a later Debian" unpack_apptainer
}

unpack_apptainer() {
  local work new=$APPTAINER.new package program APT
  [[ $(dpkg --print-architecture) == amd64 ]] || die "Put Apptainer at /usr/bin/apptainer: it is brought in for amd64 only."
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  apt_of_debian sid "$work"
  mkdir "$work/debs"
  (cd "$work/debs" && apt-get "${APT[@]}" download apptainer libc6 libseccomp2 libsqlite3-0)
  rm -rf "$new"
  mkdir "$new"
  for package in "$work"/debs/*.deb; do dpkg-deb -x "$package" "$new"; done
  # Relocated programs look for their configuration and state below their own prefix.
  mkdir -p "$new/var/lib/apptainer/mnt/session"
  ln -s ../etc "$new/usr/etc"
  ln -s ../../etc "$new/usr/lib/etc"
  ln -s ../../var "$new/usr/lib/var"
  for program in usr/bin/apptainer usr/lib/x86_64-linux-gnu/apptainer/bin/starter; do
    patchelf --set-interpreter "$APPTAINER_INSIDE/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" \
      --force-rpath --set-rpath "$APPTAINER_INSIDE/usr/lib/x86_64-linux-gnu" "$new/$program"
  done
  rm -rf "$new/usr/share" "$new/usr/lib/x86_64-linux-gnu/gconv" "$APPTAINER"
  chmod -R go+rX "$new"
  mv "$new" "$APPTAINER"
}
