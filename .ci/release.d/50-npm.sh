# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The npm package, checked as others import it, and the page as a directory for a server.

need_packages node/nodejs npm/npm
need_target wasm32-unknown-unknown
[ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || run rustup component add rust-src

# Both work in the clone: the build finds the compiled modules from its own place.
unset CARGO_TARGET_DIR
run npm ci --prefix examples/web --no-progress --no-audit --no-fund
(cd examples/web && run npm run build)
page=linkstream-page-$version
rm -rf "${out:?}/$page"
cp -r examples/web/page/dist "$out/$page"
# Each file is one that the page's service worker may keep, or the page itself.
[ -s "$out/$page/index.html" ] || fail "the page has no index.html"

# Licences of the packages that the wasm modules were compiled from, then the ones of the page's packages of npm.
python3 .ci/release.d/licences.py "$web_manifest" "$web_modules" wasm32-unknown-unknown >examples/web/codec/LICENSES-PACKAGES.txt
{
    cat examples/web/codec/LICENSES-PACKAGES.txt
    for package in preact uplot; do
        printf '\n%s\n%s %s\n%s\n\n' "$(printf '=%.0s' {1..78})" $package \
            "$(node -p "require('./examples/web/node_modules/$package/package.json').version")" "$(printf '=%.0s' {1..78})"
        cat examples/web/node_modules/$package/LICENSE
    done
} >"$out/$page/LICENSES-PACKAGES.txt"
cp LICENSE-APACHE LICENSE-MIT "$out/$page"

(cd examples/web && run npm pack --silent --workspace linkstream --pack-destination "$out")
tarball=$out/linkstream-$version.tgz
tar -tzf "$tarball" package/LICENSES-PACKAGES.txt package/LICENSE-MIT package/dist/index.js >/dev/null

# Checks of what is published, with tools of exact versions.
cp .ci/release.d/package.json .ci/release.d/package-lock.json "$CI_SCRATCH"
run npm ci --prefix "$CI_SCRATCH" --no-progress --no-audit --no-fund
run "$CI_SCRATCH/node_modules/.bin/publint" run --strict "$tarball"
# Only modules of ECMAScript are there: old resolution and require() are not promised.
run "$CI_SCRATCH/node_modules/.bin/attw" --profile esm-only "$tarball"
mkdir "$CI_SCRATCH/project"
(
    cd "$CI_SCRATCH/project"
    npm init --yes >/dev/null
    run npm install --no-progress --no-audit --no-fund "$tarball"
    cp "$source/examples/web/node/verify.js" verify.mjs
    run node verify.mjs "$source/examples/su3-4x4x4x8.lime"
)
bill linkstream-npm "$web_manifest" "$web_modules" wasm32-unknown-unknown
