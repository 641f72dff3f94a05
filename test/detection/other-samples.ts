import { file, json, type Sample } from './sample.js';

export const OTHER_SAMPLES: readonly Sample[] = [
  {
    name: 'go at the root',
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.22\n\nrequire github.com/gin-gonic/gin v1.10.0\n',
      'go.sum': '',
      'main.go': '// Serves the shop.\npackage main\n\nfunc main() {}\n',
    },
    expected: {
      language: 'go',
      version: '1.24',
      framework: 'gin',
      start: '/app/app',
      build: ['go build -trimpath -o /out/app .'],
      install: ['go mod download'],
      evidence: { build_command: 'main.go:2', framework: 'go.mod:5', version: 'go.mod:3' },
    },
  },
  {
    name: 'go with several commands',
    files: {
      'go.mod': 'module example.com/acme/tool\n\ngo 1.25.3\n',
      'cmd/migrate/main.go': 'package main\n',
      'cmd/server/main.go': 'package main\n',
      'internal/x.go': 'package internal\n',
    },
    expected: { language: 'go', version: '1.25', build: ['go build -trimpath -o /out/app ./cmd/server'], install: [] },
  },
  {
    name: 'go with its dependencies inside',
    files: {
      'go.mod': 'module example.com/a\n\ngo 1.21\n',
      'go.sum': '',
      'vendor/modules.txt': '',
      'main.go': 'package main\n',
    },
    expected: { language: 'go', install: [] },
  },
  {
    name: 'laravel',
    files: {
      'composer.json': json({ require: { php: '^8.2', 'laravel/framework': '^11.0', 'ext-gd': '*', 'ext-json': '*' } }),
      'composer.lock': '{}\n',
      artisan: '',
      'public/index.php': '<?php\n',
      'package.json': json({ scripts: { build: 'vite build' }, devDependencies: { vite: '^6.0.0' } }),
    },
    expected: {
      language: 'php',
      version: '8.3',
      framework: 'laravel',
      packageManager: 'composer',
      output: 'public',
      evidence: { framework: 'composer.json:4', output_folder: 'public/index.php:1' },
    },
  },
  {
    name: 'symfony',
    files: {
      'composer.json': json({ require: { php: '>=8.1', 'symfony/framework-bundle': '7.1.*' } }),
      'public/index.php': '<?php\n',
    },
    expected: { language: 'php', framework: 'symfony', output: 'public' },
  },
  {
    name: 'wordpress',
    files: { 'index.php': '<?php\n', 'wp-config-sample.php': '<?php\n', 'wp-login.php': '<?php\n' },
    expected: { language: 'php', framework: 'wordpress', packageManager: null, output: '.', install: [] },
  },
  {
    name: 'a single page of php',
    files: { 'index.php': '<?php phpinfo();\n', '.php-version': '8.1\n' },
    expected: { language: 'php', version: '8.1', framework: null, output: '.' },
  },
  {
    name: 'rails',
    files: {
      Gemfile: file(`
        source "https://rubygems.org"
        ruby "3.4.1"
        gem "rails", "~> 8.0"
        gem "propshaft"
        gem "pg", "~> 1.5"
      `),
      'Gemfile.lock': '',
      'bin/rails': '',
      'package.json': json({ scripts: { build: 'esbuild' } }),
    },
    expected: {
      language: 'ruby',
      version: '3.4',
      framework: 'rails',
      packageManager: 'bundler',
      build: ['SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile'],
      start: 'bundle exec rails server -b 0.0.0.0 -p $PORT',
      evidence: { framework: 'Gemfile:3', version: 'Gemfile:2', start_command: 'bin/rails:1' },
    },
  },
  {
    name: 'sinatra behind puma',
    files: { Gemfile: "gem 'sinatra'\ngem 'puma'\n", 'config.ru': 'run App\n', '.ruby-version': 'ruby-3.2.2\n' },
    expected: {
      language: 'ruby',
      version: '3.2',
      framework: 'sinatra',
      start: 'bundle exec puma -b tcp://0.0.0.0:$PORT config.ru',
    },
  },
  {
    name: 'jekyll',
    files: { Gemfile: "gem 'jekyll', '~> 4.3'\n", '_config.yml': 'title: Notes\n' },
    expected: {
      language: 'ruby',
      framework: 'jekyll',
      output: '_site',
      start: null,
      build: ['bundle exec jekyll build'],
    },
  },
  {
    name: 'a node project with a Gemfile for its tools',
    files: { Gemfile: "gem 'fastlane'\n", 'package.json': json({ scripts: { start: 'node .' } }) },
    expected: { language: 'node' },
  },
  {
    name: 'spring boot with maven',
    files: {
      'pom.xml': file(`
        <project>
          <parent>
            <artifactId>spring-boot-starter-parent</artifactId>
          </parent>
          <properties>
            <java.version>17</java.version>
          </properties>
        </project>
      `),
      mvnw: '#!/bin/sh\n',
    },
    expected: {
      language: 'java',
      version: '17',
      framework: 'spring-boot',
      packageManager: 'maven',
      build: ['sh ./mvnw -B -DskipTests package'],
      start: 'java -jar app.jar',
      evidence: { version: 'pom.xml:6', framework: 'pom.xml:3' },
    },
  },
  {
    name: 'spring boot with gradle in kotlin',
    files: {
      'build.gradle.kts': file(`
        plugins { id("org.springframework.boot") version "3.3.0" }
        java { toolchain { languageVersion = JavaLanguageVersion.of(21) } }
      `),
      gradlew: '#!/bin/sh\n',
    },
    expected: {
      language: 'java',
      version: '21',
      framework: 'spring-boot',
      packageManager: 'gradle',
      build: ['sh ./gradlew --no-daemon build -x test'],
    },
  },
  {
    name: 'quarkus',
    files: {
      'pom.xml':
        '<project>\n<maven.compiler.release>21</maven.compiler.release>\n<groupId>io.quarkus</groupId>\n</project>\n',
    },
    expected: { language: 'java', framework: 'quarkus', start: 'java -jar quarkus-run.jar' },
  },
  {
    name: 'axum',
    files: {
      'Cargo.toml': file(`
        [package]
        name = "shop-api"
        edition = "2021"

        [dependencies]
        axum = "0.7"
      `),
      'Cargo.lock': '',
      'rust-toolchain.toml': '[toolchain]\nchannel = "1.83"\n',
      'src/main.rs': 'fn main() {}\n',
    },
    expected: {
      language: 'rust',
      version: '1.83',
      framework: 'axum',
      start: '/app/app',
      build: ['cargo build --release --locked --bin shop-api'],
      evidence: { framework: 'Cargo.toml:6', build_command: 'Cargo.toml:2' },
    },
  },
  {
    name: 'rust with a program of another name',
    files: { 'Cargo.toml': '[package]\nname = "shop"\n\n[[bin]]\nname = "server"\npath = "src/server.rs"\n' },
    expected: { language: 'rust', build: ['cargo build --release --bin server'] },
  },
  {
    name: 'plain pages',
    files: { 'index.html': '<h1>Hello</h1>\n', 'style.css': '' },
    expected: { language: 'static', output: '.', evidence: { output_folder: 'index.html:1' } },
  },
  {
    name: 'pages in a folder',
    files: { 'README.md': '# Site\n', 'public/index.html': '<h1>Hello</h1>\n' },
    expected: { language: 'static', output: 'public' },
  },
];
