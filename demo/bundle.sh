# shellcheck shell=bash
# Sourced by ./dev: packs everything that a head node without internet needs into one file: the wheel, the wheels of
# both locks for Python 3.11 on x86-64, each checked against its hash, and the proxy.

BUNDLED=(portal session)
# The platforms that glibc 2.28 and newer can run (PEP 600); pip does not derive the older names from the newest.
BUNDLE_PLATFORMS=(manylinux_2_28 manylinux_2_17 manylinux2014 manylinux_2_12 manylinux2010 manylinux_2_5 manylinux1)

build_bundle() {
  local name lock work platforms
  build_wheel
  work=$(mktemp -d)
  trap "rm -rf -- ${work@Q}" EXIT
  name=$(basename dist/*.whl -py3-none-any.whl)
  name=${name//_/-}
  mkdir -p "$work/$name/wheels" "$work/$name/proxy"
  mapfile -t platforms < <(printf -- '--platform=%s_x86_64\n' "${BUNDLE_PLATFORMS[@]}")
  for lock in "${BUNDLED[@]}"; do
    "$CACHE/boot/bin/pip" download --quiet --no-deps --require-hashes --only-binary :all: --implementation cp \
      --python-version 3.11 --abi cp311 --abi abi3 --abi none "${platforms[@]}" \
      --dest "$work/$name/wheels" --requirement "requirements/$lock.txt"
  done
  cp dist/*.whl "$work/$name/wheels"
  cp requirements/portal.txt "$work/$name"
  cp -R demo/proxy/node_modules "$work/$name/proxy"
  (cd "$work/$name" && find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS)
  tar -C "$work" --sort=name --owner=0 --group=0 --mode=go=rX -cf "dist/$name-offline.tar" "$name"
  say "✓ dist/$name-offline.tar ($(du -m "dist/$name-offline.tar" | cut -f1) MiB)"
}
