# A minimal debootstrap chroot of this distribution, from the machine's own mirror. Source after
# scripts/lib, from the top folder; root only.

# Prints lines of a sources.list: the distribution's own suites in apt's configuration, in either
# format, without third-party sources.
bare_sources() (
    . /etc/os-release
    apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v name="$VERSION_CODENAME" '$3 == name || $3 == name "-updates" || $3 == name "-security"' |
        sort -u
)

# Prints the settings that apt needs to reach that mirror.
bare_apt_settings() {
    apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries|ForceIPv)' || :
}

# make_bare FOLDER: bootstraps once into FOLDER, which is reused; an interrupted bootstrap is not
# reused.
make_bare() (
    base=$1
    [ ! -e "$base.done" ] || return 0
    install_packages debootstrap
    . /etc/os-release
    proxy=
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || export http_proxy="$proxy"
    mirror=$(bare_sources | awk -v name="$VERSION_CODENAME" '$3 == name { print $2; exit }')
    rm -rf --one-file-system "$base"
    mkdir -p "$base"
    # The namespace cleans up the mounts of debootstrap, however it ends.
    unshare --mount --pid --fork --kill-child \
        debootstrap --variant=minbase "$VERSION_CODENAME" "$base" "$mirror" >&2
    bare_sources >"$base/etc/apt/sources.list"
    bare_apt_settings >"$base/etc/apt/apt.conf.d/10acquire"
    touch "$base.done"
)

# copy_bare FOLDER ROOT: copies the system to ROOT, with this machine's current host names, certificates
# and npm settings.
copy_bare() (
    base=$1 root=$2
    rm -rf --one-file-system "$root"
    cp -a "$base" "$root"
    for file in /etc/hosts /etc/resolv.conf /etc/npmrc /root/.npmrc /etc/ssl/certs/ca-certificates.crt; do
        [ ! -e "$file" ] || install -D -m 644 "$file" "$root$file"
    done
    for file in /usr/local/share/ca-certificates/*.crt; do
        [ ! -e "$file" ] || install -D -m 644 "$file" "$root$file"
    done
)

# Prints the environment variables for network access, as arguments of env.
network_variables() {
    env | grep -i -E '^([a-z]+_proxy|npm_config_[a-z_]*|node_extra_ca_certs|ssl_cert_(file|dir))=[^ ]*$' || :
}

# in_bare ROOT COMMAND…: runs a command in the chroot, with its own processes, terminals and shared
# memory. The namespace cleans up processes and mounts even if this script is killed. Only /sys of the
# machine is mounted in it, so nothing else of the machine can be deleted from there. Its / is a mount
# too, so that a part that runs in it can create a namespace.
in_bare() {
    root=$1
    shift
    # shellcheck disable=SC2016,SC2046
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh -e -c '
        root=$1
        shift
        mount --bind "$root" "$root"
        mount --rbind /sys "$root/sys"
        mount -t proc proc "$root/proc"
        mkdir -p "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        exec chroot "$root" "$@"' - "$root" \
        env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        $(network_variables) "$@" &
    bare=$!
    trap 'kill -KILL $bare; exit 1' INT TERM HUP
    status=0
    wait $bare || status=$?
    trap - INT TERM HUP
    return $status
}
