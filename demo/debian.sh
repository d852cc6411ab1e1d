# shellcheck shell=bash
# Sourced by ./dev: unpacks packages of another series into a folder without installing them. apt fetches them and
# checks their signatures.

# apt_of SOURCE WORK: set APT to the options that make apt-get see that source alone, with nothing installed.
apt_of() {
  local source=$1 work=$2
  mkdir -p "$work"/{lists,cache/archives}/partial
  : >"$work/status"
  echo "$source" >"$work/sources"
  APT=(-qy -o "Dir::Etc::sourcelist=$work/sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
    -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root
    -o APT::Install-Recommends=false -o Debug::NoLocking=true)
  apt-get "${APT[@]}" update
}

apt_of_debian() {
  apt_of "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $1 main" "$2"
}

# On Debian, the mirror that apt already uses; on Ubuntu, debootstrap's default, and Ubuntu's package of Debian's keys.
apts_debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '/\/debian\/$/{p;q}'
}
debian_mirror() {
  local known
  known=$(apts_debian_mirror)
  say "${known:-$(sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' /usr/sbin/debootstrap)}"
}
packages_for_debian() { [[ -n $(apts_debian_mirror) ]] || printf '%s\n' debootstrap debian-archive-keyring; }
