# shellcheck shell=bash
# Sourced by ./dev: Chromium for the browser tests. Ubuntu ships it only as a snap, which needs the snap daemon; there,
# Debian's package and its dependencies are unpacked into .cache/chromium, and its programs are pointed at that folder.

CHROMIUM=$CACHE/chromium
CHROMIUM_SERIES=trixie
CHROMIUM_PACKAGES=(chromium fonts-dejavu-core fontconfig)

install_browser() {
  local WANTED
  [[ ! -x /usr/bin/chromium ]] || return 0
  if has_package chromium; then
    WANTED=(chromium)
    step "Chromium, for the tests" install_packages
    return
  fi
  [[ ! -x $CHROMIUM/chromium ]] || return 0
  # shellcheck disable=SC2046 # names of packages
  mapfile -t WANTED < <(missing_packages patchelf $(packages_for_debian))
  ((${#WANTED[@]} == 0)) || step "System packages: ${WANTED[*]}" install_packages
  step "Chromium, Debian's, for the tests" unpack_chromium
}

unpack_chromium() {
  local work new=$CHROMIUM.new libraries=usr/lib/x86_64-linux-gnu package program APT
  [[ $(dpkg --print-architecture) == amd64 ]] || die "Put Chromium at /usr/bin/chromium: it is brought in for amd64 only."
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
  for program in chromium chrome_crashpad_handler; do
    patchelf --set-interpreter "$CHROMIUM/$libraries/ld-linux-x86-64.so.2" "$new/usr/lib/chromium/$program"
  done
  cat >"$new/fonts.conf" <<XML
<fontconfig>
  <dir>$CHROMIUM/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <include>$CHROMIUM/usr/share/fontconfig/conf.avail</include>
</fontconfig>
XML
  cat >"$new/chromium" <<SH
#!/bin/sh
export FONTCONFIG_FILE=${CHROMIUM@Q}/fonts.conf
export LD_LIBRARY_PATH=${CHROMIUM@Q}/$libraries:${CHROMIUM@Q}/$libraries/pulseaudio
exec ${CHROMIUM@Q}/usr/lib/chromium/chromium "\$@"
SH
  chmod 755 "$new/chromium"
  rm -rf "$CHROMIUM"
  mv "$new" "$CHROMIUM"
}
