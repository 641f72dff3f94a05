import { execFileSync } from 'node:child_process';
import { debianRoot } from './debian-root.js';

/** The command apache2-foreground of the official image of PHP with Apache. */
const FOREGROUND = [
  '#!/bin/sh',
  'export APACHE_CONFDIR=/etc/apache2',
  '. /etc/apache2/envvars',
  'rm -f "$APACHE_PID_FILE"',
  'exec apache2 -DFOREGROUND "$@"',
].join('\\n');

/** An image with Debian's Go, and with its PHP in Apache behind the commands of the official image. */
export function makeCompiledLanguageImage(reference: string): void {
  const root = debianRoot('debian-go-php', {
    variant: 'minbase',
    packages: ['golang-1.19-go', 'apache2', 'libapache2-mod-php8.2'],
    hooks: [
      'ln -s /usr/lib/go-1.19/bin/go "$1/usr/local/bin/go"',
      `printf '${FOREGROUND}\\n' > "$1/usr/local/bin/apache2-foreground" && chmod 755 "$1/usr/local/bin/apache2-foreground"`,
      'for log in access error other_vhosts_access; do ln -sf /dev/stdout "$1/var/log/apache2/$log.log"; done',
    ],
  });
  const plain = `${reference}-root`;
  execFileSync('docker', ['import', root, plain], { stdio: 'ignore' });
  // The archive of mmdebstrap has an empty /run.
  const lines = [`FROM ${plain}`, 'RUN install -d -m 1777 /run/apache2 /run/lock/apache2'];
  const options = ['build', '--quiet', '--network', 'none', '--tag', reference, '-'];
  execFileSync('docker', options, { input: lines.join('\n'), stdio: ['pipe', 'ignore', 'ignore'] });
}
