#!/bin/sh
# Starts a Docker engine on a kernel that has only cgroup v2, for machines whose own engine uses v1. Runs until Ctrl-C.
# User Mode Linux boots from the files of this machine, read-only. Needs root and these Debian packages:
#   apt-get install user-mode-linux docker.io busybox-static e2fsprogs iproute2
# Its API has no password: everybody who can open connections on this machine becomes root in it, and so on the machine.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
UML=${UML:-/usr}
TAP=cgv2tap
WORK=$(mktemp -d)
KERNEL=

finish() {
  trap - EXIT INT TERM
  [ -z "$KERNEL" ] || kill -9 "-$KERNEL" 2>/dev/null || true
  ip link delete "$TAP" 2>/dev/null || true
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir -p /etc/docker
truncate -s 3G "$WORK/disk"
mkfs.ext4 -q -F "$WORK/disk"
ip tuntap add dev "$TAP" mode tap
ip addr add 10.219.0.1/30 dev "$TAP"
ip link set "$TAP" up

# A separate process group, so that `finish` can kill all processes of the kernel, each of which is a process here. Its
# memory is a file, which would be slow on a disk.
TMPDIR=/dev/shm setsid "$UML/bin/linux.uml" mem=2G root=/dev/root rootfstype=hostfs hostfs=/ ro \
  init="$HERE/init.sh" WORK="$WORK" MODULES="$UML/lib/uml/modules" "ubd0=$WORK/disk" "uml_dir=$WORK" \
  con0=null,fd:1 con=null "vec0:transport=tap,ifname=$TAP,depth=128" </dev/null >"$WORK/kernel.log" 2>&1 &
KERNEL=$!

LEFT=120
until [ -e "$WORK/ready" ]; do
  LEFT=$((LEFT - 1))
  if [ "$LEFT" = 0 ] || ! kill -0 "$KERNEL" 2>/dev/null; then
    tail -n 20 "$WORK/kernel.log" "$WORK/init.log" >&2 || true
    exit 1
  fi
  sleep 1
done
echo "DOCKER_HOST=tcp://10.219.0.2:2375"
wait "$KERNEL"
