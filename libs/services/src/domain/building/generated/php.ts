import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, copyManifests, listen, run } from './lines.js';

export function phpDockerfile(detection: Detection, { images, port }: Generation): readonly string[] {
  const { outputFolder, recipe, startCommand, version } = detection;
  const hasPackages = recipe.installCommands.length > 0;
  const root = outputFolder === null || outputFolder === '.' ? '/app' : `/app/${outputFolder}`;
  const vendor = [
    `FROM ${images.of('composer', '2')} AS vendor`,
    'WORKDIR /app',
    ...copyManifests(recipe.manifests),
    ...run(recipe.installCommands.map((install) => install.replace('--optimize-autoloader', '--no-autoloader'))),
    'COPY . .',
    'RUN composer dump-autoload --optimize --no-dev --no-scripts',
    '',
  ];
  const site = [
    `<VirtualHost *:${port}>`,
    `DocumentRoot ${root}`,
    `<Directory ${root}>`,
    'AllowOverride All',
    'Require all granted',
    'FallbackResource /index.php',
    '</Directory>',
    '</VirtualHost>',
  ];
  return [
    ...(hasPackages ? vendor : []),
    `FROM ${images.of('php', version)}`,
    'WORKDIR /app',
    ...(recipe.systemPackages.length > 0 ? [`RUN docker-php-ext-install ${recipe.systemPackages.join(' ')}`] : []),
    `RUN printf '%s\\n' 'Listen ${port}' > /etc/apache2/ports.conf && \\`,
    `    printf '%s\\n' ${site.map((line) => `'${line}'`).join(' ')} > /etc/apache2/sites-available/000-default.conf && \\`,
    '    a2enmod rewrite && chown -R www-data:www-data /var/log/apache2 /var/run/apache2',
    ...listen(port),
    hasPackages ? 'COPY --from=vendor --chown=www-data:www-data /app /app' : 'COPY --chown=www-data:www-data . /app',
    'USER www-data',
    command(startCommand ?? 'apache2-foreground'),
  ];
}
