export const LANGUAGES = ['node', 'python', 'go', 'php', 'ruby', 'java', 'rust', 'static'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where in the repository a statement about it comes from. */
export interface Evidence {
  readonly path: string;
  /** From 1. */
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

/** How a repository is built and started, as its files say it. */
export interface Detection {
  readonly language: Language;
  /** `3.12`, `22`, `1.23`: what the files ask for, else the default of the language. */
  readonly version: string;
  readonly framework: string | null;
  readonly packageManager: string | null;
  /** Run one after the other once the dependencies are there. */
  readonly buildCommands: readonly string[];
  /** A command line; null for a site that is served as files. */
  readonly startCommand: string | null;
  /** The port it listens on whatever `PORT` says; null when it follows `PORT`, or nothing is known. */
  readonly port: number | null;
  /** The folder with the files to serve, for `static` and what is built into files; `.` for the whole. */
  readonly outputFolder: string | null;
  /** What each of the above is known from. What has no finding is a default. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** What the generated Dockerfile needs besides. */
  readonly recipe: Recipe;
}

/** The steps of a build in the terms of its language. */
export interface Recipe {
  /** Files that decide which dependencies there are: copied first, so that installing them is cached. */
  readonly manifests: readonly string[];
  /** Installs the dependencies. */
  readonly installCommands: readonly string[];
  /** Packages of the operating system that the build or the program needs. */
  readonly systemPackages: readonly string[];
  /** What a compiled program is called, and where the build puts it. */
  readonly artifact: string | null;
}
