#!/bin/bash
# The init process of the kernel that engine.sh boots. WORK and MODULES come from the kernel's command line.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t cgroup2 none /sys/fs/cgroup
# The machine's files are read-only, so writable folders are in memory, except for the folder shared with engine.sh.
mount -t tmpfs tmpfs /run
mkdir -p /run/work /run/engine
mount -t hostfs none /run/work -o "$WORK"
exec >/run/work/init.log 2>&1
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
# On a disk instead of tmpfs, because only files on a disk have page cache that can be reclaimed.
mount -t ext4 /dev/ubda /run/engine

KERNEL="$MODULES/$(uname -r)/kernel"
for module in fs/overlayfs/overlay lib/crc-ccitt net/ipv6/ipv6 net/llc/llc net/802/stp net/bridge/bridge drivers/net/veth; do
  busybox insmod "$KERNEL/$module.ko"
done
for place in /tmp /etc/docker; do mount -t tmpfs tmpfs "$place"; done

ip link set lo up
ip addr add 10.219.0.2/30 dev vec0
ip link set vec0 up

dockerd --storage-driver=overlay2 --data-root=/run/engine --exec-root=/run/exec \
  --pidfile=/run/engine.pid --host=tcp://10.219.0.2:2375 --tls=false --iptables=false --ip6tables=false &
until docker --host tcp://10.219.0.2:2375 version >/dev/null 2>&1; do sleep 0.5; done
touch /run/work/ready
wait
