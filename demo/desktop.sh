# shellcheck shell=bash
# Sourced by ./dev: what a graphical desktop needs, for its tests. Xvnc knows its keyboard's programs by their full
# paths, so it is installed like a node's other software.

install_desktop() {
  local WANTED
  mapfile -t WANTED < <(missing_packages tigervnc-standalone-server openbox xterm x11-utils x11-xserver-utils mesa-utils)
  ((${#WANTED[@]} == 0)) || step "A graphical desktop, for the tests" install_packages
}
