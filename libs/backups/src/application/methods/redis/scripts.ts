/** Beginning of every script: helper functions, and the paths of the server's files. */
const WHERE = `set -eu
r() { redis-cli -h 127.0.0.1 --user "$PANEL_USER" -e "$@"; }
info() { said=$(r INFO "$1") || exit 1; printf '%s\\n' "$said" | tr -d '\\r' | sed -n "s/^$2://p"; }
setting() { said=$(r CONFIG GET "$1") || exit 1; printf '%s\\n' "$said" | sed -n 2p; }
dir=$(setting dir)
folder=$(setting appenddirname)
name=$(setting appendfilename)
aof=$dir/$folder
manifest=$aof/$name.manifest
`;

/** Prints what the file contains, and the checksum of the whole file that the server has written at its end. */
function checked(file: string): string {
  return `redis-check-rdb "$dir/${file}"
echo "crc64 $(tail -c 8 "$dir/${file}" | od -An -tx1 | tr -d ' \\n')"`;
}

/**
 * Takes a snapshot under a separate name, which later snapshots do not replace, and prints the version and its
 * contents. The server counts a snapshot when it begins, so the script also waits for its end: until then the file is
 * an older one.
 */
export const TAKE_SNAPSHOT = `${WHERE}
base=$(setting dbfilename)
file=$dir/$base
saves=$(info persistence rdb_saves)
until said=$(r BGSAVE SCHEDULE 2>&1); do
  # The server saves by itself, too, and does not queue behind that.
  case $said in *'already in progress'*) sleep 0.1 ;; *) echo "$said" >&2; exit 1 ;; esac
done
idle=0
while [ "$(info persistence rdb_saves)" -le "$saves" ]; do
  busy=$(info persistence rdb_bgsave_in_progress)$(info persistence aof_rewrite_in_progress)
  if [ "$busy" = 00 ]; then idle=$((idle + 1)); else idle=0; fi
  if [ $idle -gt 50 ]; then echo 'the snapshot was not begun' >&2; exit 1; fi
  sleep 0.1
done
while [ "$(info persistence rdb_bgsave_in_progress)" != 0 ]; do sleep 0.1; done
if [ "$(info persistence rdb_last_bgsave_status)" != ok ]; then
  echo "the snapshot was not written: $(df -P "$dir" | awk 'NR == 2 { print $4 }') KB are free on the disk" >&2; exit 1
fi
ln -f "$file" "$dir/panel-backup.rdb"
info server redis_version
${checked('panel-backup.rdb')}`;

export const READ_SNAPSHOT = `${WHERE}cat "$dir/panel-backup.rdb"`;

export const DROP_SNAPSHOT = `${WHERE}rm -f "$dir/panel-backup.rdb"`;

export const TAKE_IN = `${WHERE}cat > "$dir/panel-restore.rdb"; redis-check-rdb "$dir/panel-restore.rdb" > /dev/null`;

export const CHECK_TAKEN_IN = `${WHERE}${checked('panel-restore.rdb')}`;

/** Removes files that the manifest does not name. While the server writes new files, nothing is removed. */
const DROP_OTHERS = `
if [ "$(info persistence aof_rewrite_in_progress)" = 0 ]; then
  for f in "$aof"/*; do
    [ "$f" = "$manifest" ] || grep -qF "file $(basename "$f") seq" "$manifest" || rm -f "$f"
  done
fi`;

/**
 * Makes the dump the base of the append-only file, which is all that a server with such a file loads. The manifest
 * alone names the files that are loaded, and it is replaced in one step. The server keeps using the old files until it
 * is restarted; until then, what is needed to undo the swap is kept next to them.
 */
export const SWAP = `${WHERE}
mkdir -p "$aof"
info server run_id > "$aof/panel-run"
r CONFIG GET save | sed -n 2p > "$aof/panel-save"
r CONFIG GET auto-aof-rewrite-percentage | sed -n 2p > "$aof/panel-rewrite"
r CONFIG SET auto-aof-rewrite-percentage 0 > /dev/null
r CONFIG SET save '' > /dev/null
while [ "$(info persistence aof_rewrite_in_progress)$(info persistence aof_rewrite_scheduled)" != 00 ]; do sleep 0.1; done
last() { sed -n "s/^file .* seq \\([0-9]*\\) type $1.*/\\1/p" "$manifest" 2> /dev/null | sort -n | tail -n 1; }
b=$(last b); b=$(( \${b:-0} + 1 ))
i=$(last i); i=$(( \${i:-0} + 1 ))
mv "$dir/panel-restore.rdb" "$aof/$name.$b.base.rdb"
: > "$aof/$name.$i.incr.aof"
printf 'file %s seq %s type b\\nfile %s seq %s type i\\n' "$name.$b.base.rdb" $b "$name.$i.incr.aof" $i > "$aof/panel-new.manifest"
cp "$aof/panel-new.manifest" "$aof/panel-swapped.manifest"
if [ -f "$manifest" ]; then cp "$manifest" "$aof/panel-old.manifest"; else : > "$aof/panel-old.manifest"; fi
chown -R --reference="$dir" "$aof"
sync
mv "$aof/panel-new.manifest" "$manifest"`;

export const SWAP_BACK = `${WHERE}[ ! -s "$aof/panel-old.manifest" ] || mv "$aof/panel-old.manifest" "$manifest"`;

export const CLEAR_OLD = `${WHERE}${DROP_OTHERS}`;

/**
 * Undoes a restore whose worker died, unless the server has been restarted and uses the new files, and removes its
 * files.
 */
export const TIDY = `${WHERE}
rm -f "$dir/panel-restore.rdb"
if [ -f "$aof/panel-run" ]; then
  if [ "$(info server run_id)" = "$(cat "$aof/panel-run")" ]; then
    if cmp -s "$manifest" "$aof/panel-swapped.manifest"; then
      if [ -s "$aof/panel-old.manifest" ]; then mv "$aof/panel-old.manifest" "$manifest"; else rm -f "$manifest"; fi
    fi
    r CONFIG SET save "$(cat "$aof/panel-save")" > /dev/null
    r CONFIG SET auto-aof-rewrite-percentage "$(cat "$aof/panel-rewrite")" > /dev/null
  fi
  rm -f "$aof"/panel-*
  [ ! -f "$manifest" ] || {${DROP_OTHERS}
  }
fi`;

/** How many keys the server read when it was started. Those that it holds now may have been written since. */
export const LOADED = `${WHERE}
[ "$(info persistence loading)" = 0 ]
echo $(( $(info persistence rdb_last_load_keys_loaded) + $(info persistence rdb_last_load_keys_expired) ))`;
