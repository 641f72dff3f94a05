import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const bin = (name: string) => path.join(ROOT, 'node_modules/.bin', name);

interface LintProblem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

/** A temporary folder with an OpenAPI document, for linting it and generating clients from it. */
export class SdkFolder {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'tenantry-sdk-'));

  constructor(openApiYaml: string) {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.folder, 'node_modules'));
    writeFileSync(path.join(this.folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(this.folder, 'openapi.yaml'), openApiYaml);
  }

  /** The violations of the recommended rules: rule, message and place of each. */
  async lint(): Promise<unknown[]> {
    const args = ['lint', 'openapi.yaml', '--extends', 'recommended', '--format', 'json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' };
    const { stdout, stderr } = await run(bin('redocly'), args, { cwd: this.folder, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    if (stderr.includes('rror:')) throw new Error(stderr);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: LintProblem[] };
    return report.problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
  }

  /** Generates `schema.ts` for openapi-fetch. */
  async makeTypes(): Promise<void> {
    await run(bin('openapi-typescript'), ['openapi.yaml', '-o', 'schema.ts'], { cwd: this.folder });
  }

  /** Generates `sdk/` with hey-api. */
  async makeSdk(): Promise<void> {
    const args = ['-i', 'openapi.yaml', '-o', 'sdk', '-c', '@hey-api/client-fetch'];
    await run(bin('openapi-ts'), args, { cwd: this.folder, env: { ...process.env, CI: 'true' } });
  }

  /** Compiles a program strictly, runs it and parses the JSON that it prints. */
  async compileAndRun(file: string, source: string): Promise<unknown> {
    writeFileSync(path.join(this.folder, file), source);
    mkdirSync(path.join(this.folder, 'out'), { recursive: true });
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      outDir: 'out',
      rootDir: '.',
    };
    writeFileSync(path.join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const compiled = await run(bin('tsc'), ['-p', '.'], { cwd: this.folder }).catch(
      (error: { stdout: string }) => error,
    );
    if (compiled.stdout !== '') throw new Error(compiled.stdout);
    const program = path.join('out', file.replace('.ts', '.js'));
    if (readFileSync(path.join(this.folder, program), 'utf8') === '') throw new Error(`${program} is empty`);
    const { stdout } = await run(process.execPath, [program], { cwd: this.folder });
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
