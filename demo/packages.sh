# shellcheck shell=bash
# Sourced by ./dev: makes a .deb and an .rpm of the bundle. Both have the same files; packaging/software installs them.

PACKAGE=data-scientist-portal

install_packagers() {
  local WANTED
  mapfile -t WANTED < <(missing_packages rpm lintian rpmlint)
  ((${#WANTED[@]} == 0)) || step "rpmbuild, lintian and rpmlint" install_packages
}

build_packages() {
  local work version
  build_bundle
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  version=$(basename "dist/$PACKAGE"-*-offline.tar -offline.tar)
  version=${version#"$PACKAGE-"}
  make_package_tree "$work/tree"
  build_rpm "$work" "$version"
  build_deb "$work/tree" "$version"
  say "✓ $(echo dist/*.deb)"
  say "✓ $(echo dist/*.rpm)"
}

make_package_tree() {
  local tree=$1 name=$PACKAGE
  install -d "$tree/usr/"{bin,libexec,"share/$name","share/licenses/$name"}
  tar -xf "dist/$name"-*-offline.tar -C "$tree/usr/share/$name" --strip-components 1 --no-same-owner
  tar -C "$tree/usr/share/$name/proxy" --sort=name -czf "$tree/usr/share/$name/proxy.tar.gz" node_modules
  rm -r "$tree/usr/share/$name/"{proxy,SHA256SUMS} # both package managers have checksums of their own
  install -m 755 packaging/software "$tree/usr/libexec/$name"
  install -m 644 LICENSE "$tree/usr/share/licenses/$name"
  ln -s /opt/portal/bin/portal "$tree/usr/bin/portal"
}

build_rpm() {
  rpmbuild --quiet -bb --target x86_64 --define "_topdir $1/rpmbuild" --define "_rpmdir $ROOT/dist" \
    --define '_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' --define "portal_version $2" \
    --define "portal_tree $1/tree" "packaging/$PACKAGE.spec"
}

build_deb() {
  local tree=$1 version=$2 doc=$1/usr/share/doc/$PACKAGE
  install -d "$tree/DEBIAN" "$doc"
  mv "$tree/usr/share/licenses/$PACKAGE/LICENSE" "$doc/copyright"
  rm -r "$tree/usr/share/licenses"
  install -D -m 644 packaging/deb/overrides "$tree/usr/share/lintian/overrides/$PACKAGE"
  sed "s/@VERSION@/$version/" packaging/deb/changelog | gzip -9n >"$doc/changelog.gz"
  chmod 644 "$doc/changelog.gz"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  sed "s/@VERSION@/$version/; s/@SIZE@/$(du -sk --apparent-size "$tree/usr" | cut -f1)/" packaging/deb/control \
    >"$tree/DEBIAN/control"
  install -m 755 packaging/deb/{postinst,prerm,postrm} "$tree/DEBIAN"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$tree" "dist/${PACKAGE}_${version}_amd64.deb" >/dev/null
}
