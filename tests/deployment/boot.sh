#!/bin/sh
# Boots systemd inside a demo site, as the first process of its own namespaces: the machine's root under a temporary
# overlay, the site's /etc, the site's folder, the site's network. Run as root, inside the site. A folder given as the
# second argument lies over the machine's root.
set -eu
folder=/run/portal-demo/run/systemd
group=/sys/fs/cgroup
[ -e /sys/fs/cgroup/cgroup.controllers ] || group=$group/systemd
group=$group/portal-test.$(stat --format=%i /run/portal-demo)

make_tree() {
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 tree "$folder"
  mkdir "$folder/upper" "$folder/work" "$folder/root" "$folder/layer"
  [ -z "$1" ] || cp --archive "$1/." "$folder/layer" # where it is may be below /, and then it may not be a layer
  mount -t overlay -o "lowerdir=$folder/layer:/,upperdir=$folder/upper,workdir=$folder/work" tree "$folder/root"
  cd "$folder/root"
  cp --archive /etc/. etc
  hostname >etc/hostname # systemd takes it from there; it is the node's name in the site
  rm -rf etc/systemd/system/*.wants # services that this machine would otherwise start
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount -t cgroup2 cgroup sys/fs/cgroup
  else
    mount -t tmpfs cgroup sys/fs/cgroup
    mkdir sys/fs/cgroup/systemd
    mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  fi
  mount -t tmpfs -o mode=1777 tmp tmp
  mount -t tmpfs -o mode=755 run run
  mkdir run/portal-demo
  mount --rbind /run/portal-demo run/portal-demo
  make_devices
  printf '[Unit]\nRequires=basic.target\nAfter=basic.target\n' >etc/systemd/system/portal-test.target
}

make_devices() {
  mount -t tmpfs -o mode=755 dev dev
  for one in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
    # shellcheck disable=SC2086 # a name and two numbers
    set -- $one
    mknod -m 666 "dev/$1" c "$2" "$3"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=666 pts dev/pts
  mount -t tmpfs -o mode=1777 shm dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
}

case ${1-} in
  inside)
    make_tree "${2-}"
    mkdir old
    pivot_root . old
    umount -l old
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      /lib/systemd/systemd --system --unit=portal-test.target --show-status=no
    ;;
  clear)
    [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} +
    ;;
  *)
    mkdir -p "$folder" "$group"
    echo $$ >"$group/cgroup.procs"
    unshare --mount --pid --fork --kill-child --ipc --uts --cgroup sh "$0" inside "${2-}" &
    echo $! >"$folder.pid"
    wait
    ;;
esac
