# shellcheck shell=bash
# Sourced by ./dev: Chromium for benchmarks and screenshots, and its headless shell for the browser tests. Ubuntu ships
# them only as a snap, which needs the snap daemon; there, Debian's packages and their dependencies are unpacked into
# .cache/chromium, and their programs are pointed at that folder.

CHROMIUM=$CACHE/chromium
CHROMIUM_SERIES=trixie
CHROMIUM_PROGRAMS=(chromium chromium-headless-shell) # the packages' names, too
CHROMIUM_PACKAGES=("${CHROMIUM_PROGRAMS[@]}" fonts-dejavu-core fontconfig)

install_browser() {
  local WANTED
  [[ ! -x /usr/bin/chromium || ! -x /usr/bin/chromium-headless-shell ]] || return 0
  if has_package chromium-headless-shell; then
    WANTED=("${CHROMIUM_PROGRAMS[@]}")
    step "Chromium, for the tests" install_packages
    return
  fi
  # Where there is no package of the shell, what there is does as well.
  [[ ! -x /usr/bin/chromium && ! -x $CHROMIUM/chromium-headless-shell ]] || return 0
  # shellcheck disable=SC2046 # names of packages
  mapfile -t WANTED < <(missing_packages patchelf $(packages_for_debian))
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  step "Chromium, Debian's, for the tests" unpack_chromium
}

unpack_chromium() {
  local work new=$CHROMIUM.new libraries=usr/lib/x86_64-linux-gnu package program APT
  [[ $(dpkg --print-architecture) == amd64 ]] || die "Put ${CHROMIUM_PROGRAMS[*]} into /usr/bin: they come for amd64 only."
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q} ${new@Q}" EXIT
  apt_of_debian $CHROMIUM_SERIES "$work"
  apt-get "${APT[@]}" --download-only install "${CHROMIUM_PACKAGES[@]}"
  rm -rf "$new"
  mkdir -p "$new/usr"/{bin,sbin,lib,lib64}
  ln -s usr/bin usr/sbin usr/lib usr/lib64 "$new"
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$new" --no-same-owner --keep-directory-symlink --exclude=./usr/share/{doc,man,locale,icons}
  done
  for program in "${CHROMIUM_PROGRAMS[@]}" chrome_crashpad_handler; do
    patchelf --set-interpreter "$CHROMIUM/$libraries/ld-linux-x86-64.so.2" "$new/usr/lib/chromium/$program"
  done
  cat >"$new/fonts.conf" <<XML
<fontconfig>
  <dir>$CHROMIUM/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <include>$CHROMIUM/usr/share/fontconfig/conf.avail</include>
</fontconfig>
XML
  for program in "${CHROMIUM_PROGRAMS[@]}"; do
    cat >"$new/$program" <<SH
#!/bin/sh
export FONTCONFIG_FILE=${CHROMIUM@Q}/fonts.conf
export LD_LIBRARY_PATH=${CHROMIUM@Q}/$libraries:${CHROMIUM@Q}/$libraries/pulseaudio
exec ${CHROMIUM@Q}/usr/lib/chromium/$program "\$@"
SH
    chmod 755 "$new/$program"
  done
  rm -rf "$CHROMIUM"
  mv "$new" "$CHROMIUM"
}
