export const LANGUAGES = ['node', 'python', 'go', 'php', 'ruby', 'java', 'rust', 'static'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The line of the repository that a finding is based on. */
export interface Evidence {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

export const FACTS = [
  'language',
  'version',
  'framework',
  'package_manager',
  'build_command',
  'start_command',
  'port',
  'output_folder',
] as const;
export type Fact = (typeof FACTS)[number];

export interface Finding {
  readonly fact: Fact;
  readonly value: string;
  readonly evidence: Evidence;
}

/** How to build and start a repository, according to its files. */
export interface Detection {
  readonly language: Language;
  /** The version that the files ask for, such as `3.12` or `22`, or the default of the language. */
  readonly version: string;
  readonly framework: string | null;
  readonly packageManager: string | null;
  /** Run one after the other, after the dependencies are installed. */
  readonly buildCommands: readonly string[];
  /** A command line. Null for a static site. */
  readonly startCommand: string | null;
  /** The port it listens on if it ignores `PORT`. Null if it uses `PORT` or if nothing is known. */
  readonly port: number | null;
  /** The folder with the files to serve, for static sites. `.` is the whole repository. */
  readonly outputFolder: string | null;
  /** The evidence for the fields above. A field without a finding has its default. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** Further details for the generated Dockerfile. */
  readonly recipe: Recipe;
}

/** The steps of a build in the terms of its language. */
export interface Recipe {
  /** Files that list the dependencies. They are copied first, so that the installation is cached. */
  readonly manifests: readonly string[];
  /** Installs the dependencies. */
  readonly installCommands: readonly string[];
  /** Packages of the operating system that the build or the program needs. */
  readonly systemPackages: readonly string[];
  /** Path of the compiled program, or of the folder with it, after the build. */
  readonly artifact: string | null;
}
