# shellcheck shell=bash
# Sourced by ./dev: sssd and nslcd with their PAM modules, for the tests of PAM logins. Their packages are unpacked into
# .cache/logins, not installed, because installing them would change how this machine logs users in.

LOGINS=$CACHE/logins
LOGIN_PACKAGES=(nslcd libpam-ldapd sssd-common sssd-ldap libpam-sss)

install_logins() {
  stamped logins demo/logins.sh && [[ -d $LOGINS ]] && return
  step "sssd and nslcd, in ${LOGINS#"$ROOT"/}" unpack_logins
  stamp logins demo/logins.sh
}

unpack_logins() {
  local work new=$LOGINS.new package
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  mkdir -p "$work/archives/partial"
  as_root apt-get update -q
  # With all dependencies that this machine lacks.
  as_root apt-get install -qy --no-install-recommends --reinstall --download-only -o "Dir::Cache::archives=$work/archives" \
    -o APT::Sandbox::User=root -o Debug::NoLocking=true "${LOGIN_PACKAGES[@]}"
  rm -rf "$new"
  mkdir -p "$new/usr/lib"
  ln -s usr/lib "$new/lib"
  for package in "$work"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$new" --keep-directory-symlink --exclude=./usr/share/{doc,man,locale}
  done
  rm -rf "$LOGINS"
  mv "$new" "$LOGINS"
}
