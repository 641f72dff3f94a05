import { find, presence, type Clues, type SourceText } from '../clues.js';
import type { Detection } from '../detection.js';
import { chooseVersion } from '../version-choice.js';

const VERSIONS = ['21', '25', '17', '11', '8'];
const FRAMEWORKS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['spring-boot', /spring-boot|org\.springframework\.boot/],
  ['quarkus', /io\.quarkus/],
  ['micronaut', /io\.micronaut/],
  ['javalin', /io\.javalin/],
];

export async function detectJava(clues: Clues): Promise<Detection | null> {
  const path = clues.first('pom.xml', 'build.gradle.kts', 'build.gradle');
  const file = path && (await clues.source(path));
  if (!file) return null;
  const isMaven = path === 'pom.xml';
  clues.note('language', presence('java', path));
  clues.note('package_manager', presence(isMaven ? 'maven' : 'gradle', path));
  const version = await versionOf(clues, file);
  for (const [name, pattern] of FRAMEWORKS) {
    const clue = find(file, pattern);
    if (clue) clues.note('framework', { ...clue, value: name });
  }
  const build = isMaven ? mavenBuild(clues) : gradleBuild(clues);
  clues.note('build_command', presence(build, path));
  const isQuarkus = clues.valueOf('framework') === 'quarkus';
  const folder = isMaven ? 'target' : 'build';
  return clues.conclude({
    language: 'java',
    version,
    buildCommands: [build],
    startCommand: clues.valueOf('start_command') ?? `java -jar ${isQuarkus ? 'quarkus-run.jar' : 'app.jar'}`,
    port: null,
    outputFolder: null,
    recipe: {
      manifests: isMaven ? ['pom.xml'] : [],
      installCommands: [],
      systemPackages: [],
      artifact: isQuarkus ? `${folder}/quarkus-app/` : isMaven ? 'target' : 'build/libs',
    },
  });
}

const mavenBuild = (clues: Clues) => `${clues.has('mvnw') ? 'sh ./mvnw' : 'mvn'} -B -DskipTests package`;
const gradleBuild = (clues: Clues) => `${clues.has('gradlew') ? 'sh ./gradlew' : 'gradle'} --no-daemon build -x test`;

async function versionOf(clues: Clues, file: SourceText): Promise<string> {
  const clue =
    find(file, /<java\.version>\s*(?:1\.)?(\d+)/) ??
    find(file, /<maven\.compiler\.(?:release|source|target)>\s*(?:1\.)?(\d+)/) ??
    find(file, /<release>\s*(\d+)\s*<\/release>/) ??
    find(file, /languageVersion\D*\(?\s*JavaLanguageVersion\.of\((\d+)\)/) ??
    find(file, /jvmToolchain\((\d+)\)/) ??
    find(file, /sourceCompatibility\s*=?\s*(?:JavaVersion\.VERSION_(?:1_)?|['"]?(?:1\.)?)(\d+)/) ??
    find(await clues.source('.java-version'), /^(?:1\.)?(\d+)/) ??
    find(await clues.source('system.properties'), /^java\.runtime\.version\s*=\s*(?:1\.)?(\d+)/);
  const version = clue && chooseVersion(clue.value, VERSIONS);
  if (clue && version) clues.note('version', { ...clue, value: version });
  return version ?? VERSIONS[0]!;
}
