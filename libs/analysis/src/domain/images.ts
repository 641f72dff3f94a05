/** The images that a suggested compose file may name. A repository or a model cannot add others. */
const LANGUAGE_IMAGES: Readonly<Record<string, (version: string) => string>> = {
  node: (version) => `node:${version}-bookworm-slim`,
  python: (version) => `python:${version}-slim-bookworm`,
  go: (version) => `golang:${version}-bookworm`,
  php: (version) => `php:${version}-cli-bookworm`,
  ruby: (version) => `ruby:${version}-slim-bookworm`,
  java: (version) => `eclipse-temurin:${version}-jdk`,
  rust: (version) => `rust:${version}-slim-bookworm`,
  static: () => 'nginxinc/nginx-unprivileged:1.27-alpine',
};

/** Fetches the source of the application. */
export const SOURCE_IMAGE = 'alpine:3.20';

/** Null for an unknown language or an invalid version. */
export function imageOf(language: string, version: string): string | null {
  const image = Object.hasOwn(LANGUAGE_IMAGES, language) ? LANGUAGE_IMAGES[language] : undefined;
  return image && /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(version) ? image(version) : null;
}
