import { PATIENCE } from '../../tools/lib/tests/patience.mjs';
import { eventually } from '../support/docker/eventually.js';
import type { ClonedRepository } from '#libs/services';
import {
  BuildFailed,
  type BuildLimits,
  type BuildRequest,
  type ImageBuilder,
  type MadeImage,
} from '../../libs/services/src/application/ports/git/image-builder.js';
import { parseImageReference } from '../../libs/services/src/domain/compose/values/image-reference.js';
import type { LocalImage } from '../../libs/services/src/application/ports/engine/container-runtime.js';

export interface ImageBuilderBed {
  readonly builder: ImageBuilder;
  /** A small image with a shell, under a name that FROM takes. */
  readonly base: string;
  /** The name of an image with this instruction in it. */
  imageWith(instruction: string): Promise<string>;
  /** A new name for an image, which the bed removes in the end. */
  reference(): string;
  /** @param links symbolic links, by their paths */
  repository(
    files: Readonly<Record<string, string>>,
    links?: Readonly<Record<string, string>>,
  ): Promise<ClonedRepository>;
  /** What a file of an image says; null when it is not there. */
  fileOf(image: LocalImage, path: string): Promise<string | null>;
  /** Containers of builds that there are now. */
  containers(): Promise<number>;
  /** How many images without a name there are that a step with this text made. */
  layersOf(text: string): Promise<number>;
  close(): Promise<void>;
}

export const LIMITS: BuildLimits = {
  memoryMb: 64,
  cpuCores: 0.5,
  processes: 64,
  diskBytes: 50_000_000,
  outputBytes: 1_000_000,
  totalMs: 60_000,
  silenceMs: 60_000,
};
const ATTACKS = [
  ['starts processes without end', 'while :; do sleep 60 & done', /needed more (?:than the 64 processes|memory than)/],
  ['fills the disk', 'dd if=/dev/zero of=/fill bs=1M count=300 && sleep 60', /wrote more than 48 MB/],
  ['talks without end', 'yes all work and no play', /produced more than 1 MB of output/],
  ['eats memory', 'tail -c 200m /dev/zero > /dev/null; exit $?', /needed more memory than the 64 MB/],
] as const;
const UNGUARDED = { guard: () => Promise.resolve() };

export interface BuilderTraits {
  /** Steps leave layers that a later build begins with. */
  readonly keepsLayers: boolean;
  /** What it does not end: its operator bounds it, or it is cut off. */
  readonly endures: readonly (typeof ATTACKS)[number][0][];
}

/** What every builder of images does. @param makeBed called once */
export function itIsAnImageBuilder(
  makeBed: () => Promise<ImageBuilderBed>,
  { keepsLayers, endures }: BuilderTraits = { keepsLayers: true, endures: [] },
): void {
  describe('builds images', () => {
    let bed: ImageBuilderBed;

    beforeAll(async () => {
      bed = await makeBed();
    });

    afterAll(() => bed.close());

    async function requestFor(
      dockerfile: string,
      files: Readonly<Record<string, string>> = {},
      given: Partial<BuildRequest> = {},
    ): Promise<BuildRequest> {
      const text = dockerfile.replaceAll('BASE', bed.base);
      return {
        repository: await bed.repository({ 'README.md': 'x', ...files }),
        folder: '',
        dockerfile: { path: 'Dockerfile', text, images: [] },
        reference: bed.reference(),
        buildArgs: new Map(),
        secrets: new Map(),
        limits: LIMITS,
        ...given,
      };
    }

    async function build(request: BuildRequest, output: string[] = []): Promise<MadeImage> {
      return bed.builder.build(request, (text) => output.push(text), UNGUARDED);
    }

    async function failureOf(work: Promise<unknown>): Promise<string> {
      const error: unknown = await work.catch((reason: unknown) => reason);
      if (!(error instanceof BuildFailed)) throw new Error(`no failure of the build: ${String(error)}`);
      return error.message;
    }

    it('makes an image of the files and says what it does', async () => {
      const output: string[] = [];
      const request = await requestFor('FROM BASE\nCOPY . /app\nRUN echo built by the test\n', { 'a.txt': 'one' });
      const image = await build(request, output);
      expect(image.id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(await bed.fileOf(image, '/app/a.txt')).toBe('one');
      expect(output.join('')).toContain('built by the test');
    });

    it('uses the Dockerfile that it is given, not the one of the repository', async () => {
      const files = { Dockerfile: 'FROM nowhere.invalid/x\n', 'a.txt': 'one' };
      expect((await build(await requestFor('FROM BASE\nCOPY a.txt /a.txt\n', files))).id).toMatch(/^sha256:/);
    });

    it('leaves out what .dockerignore names', async () => {
      const files = {
        '.dockerignore': 'secret*\n!secret.public\n',
        'secret.txt': 's',
        'secret.public': 'p',
        'a.txt': 'a',
      };
      const image = await build(await requestFor('FROM BASE\nCOPY . /app\n', files));
      expect(await bed.fileOf(image, '/app/secret.txt')).toBeNull();
      expect(await bed.fileOf(image, '/app/secret.public')).toBe('p');
    });

    it('builds on no image that would make the engine fetch an address', async () => {
      const trap = await bed.imageWith('ONBUILD ADD http://127.0.0.1:1/secret /secret');
      const request = await requestFor(`FROM ${trap}\n`);
      const dockerfile = { ...request.dockerfile, images: [parseImageReference(trap)!] };
      expect(await failureOf(build({ ...request, dockerfile }))).toMatch(
        /cannot be built on. ADD of an address is not allowed/,
      );
    });

    it('follows no link out of the context', async () => {
      const links = { leak: '/etc/passwd', up: '../../../../../../etc/passwd', folder: '/etc' };
      const repository = await bed.repository({ 'a.txt': 'one' }, links);
      for (const source of ['leak', 'up', 'folder/passwd']) {
        const request = await requestFor(`FROM BASE\nCOPY ${source} /leaked\n`, {}, { repository });
        expect(await failureOf(build(request))).toMatch(/\S/);
      }
      const image = await build(await requestFor('FROM BASE\nCOPY . /app\n', {}, { repository }));
      expect(await bed.fileOf(image, '/app/a.txt')).toBe('one');
      // A link stays a link, without what is behind it on this machine.
      expect(await bed.fileOf(image, '/app/leak')).toBe('');
    });

    it('takes one folder as the context, and arguments', async () => {
      const files = { 'web/a.txt': 'in', 'outer.txt': 'out' };
      const request = await requestFor('FROM BASE\nARG WHO=nobody\nCOPY . /app\nRUN echo $WHO > /who\n', files, {
        folder: 'web',
        buildArgs: new Map([['WHO', 'me']]),
      });
      const image = await build(request);
      expect(await bed.fileOf(image, '/app/a.txt')).toBe('in');
      expect(await bed.fileOf(image, '/app/outer.txt')).toBeNull();
      expect(await bed.fileOf(image, '/who')).toBe('me\n');
    });

    it('says which step failed, and with what', async () => {
      const failure = await failureOf(build(await requestFor('FROM BASE\nRUN exit 7\n')));
      expect(failure).toBe('"exit 7" ended with 7. See the log.');
    });

    it.each(ATTACKS.filter(([name]) => !endures.includes(name)))(
      'ends a build that %s, in words, and leaves nothing of it',
      async (name, command, words) => {
        const mark = `attack ${name.replaceAll(' ', '-')} ${process.pid}`;
        const request = await requestFor(`FROM BASE\nRUN : ${mark} begins\nRUN : ${mark}; ${command}\n`);
        expect(await failureOf(build(request))).toMatch(words);
        await eventually(
          () => bed.containers(),
          (count) => count === 0,
        );
        await eventually(
          () => bed.layersOf(mark),
          (count) => count === 0,
        );
      },
    );

    if (keepsLayers)
      it('names what its steps left, which goes when nothing needs it', async () => {
        const mark = `layers ${process.pid}`;
        const twice = `FROM BASE AS first\nRUN echo ${mark} > /a\nFROM BASE\nCOPY --from=first /a /a\nRUN : ${mark} end\n`;
        const request = await requestFor(twice);
        const { layers } = await build(request);
        expect(layers.length).toBeGreaterThanOrEqual(3);
        expect(await bed.layersOf(mark)).toBeGreaterThan(0);
        await bed.builder.remove(request.reference, UNGUARDED, layers);
        expect(await bed.layersOf(mark)).toBe(0);
      });

    /** Within less time than the steps themselves would take. */
    const nothingRuns = () =>
      eventually(
        () => bed.containers(),
        (count) => count === 0,
        5_000,
      );

    it('ends a build that takes too long, and one that is silent', async () => {
      const slow = await requestFor('FROM BASE\nRUN sleep 60\n', {}, { limits: { ...LIMITS, totalMs: 1_500 } });
      expect(await failureOf(build(slow))).toBe('The build took longer than 1.5 s.');
      const silent = await requestFor('FROM BASE\nRUN sleep 61\n', {}, { limits: { ...LIMITS, silenceMs: 1_500 } });
      expect(await failureOf(build(silent))).toBe('The build produced no output for 1.5 s.');
      await nothingRuns();
    });

    it('stops within a second when it is cancelled, and leaves no container', async () => {
      const cancelled = new AbortController();
      const request = await requestFor('FROM BASE\nRUN echo begun; sleep 62\n');
      let said = '';
      const operation = { ...UNGUARDED, signal: cancelled.signal };
      const work = bed.builder.build(request, (text) => (said += text), operation);
      work.catch(() => undefined);
      await eventually(
        () => Promise.resolve(said),
        (text) => /^begun$/m.test(text),
      );
      const since = Date.now();
      cancelled.abort(new Error('cancelled'));
      await expect(work).rejects.toThrow('cancelled');
      expect(Date.now() - since).toBeLessThan(1_000 * PATIENCE);
      await nothingRuns();
    });

    it('forgets an image, also one that is gone already', async () => {
      const request = await requestFor('FROM BASE\nRUN echo to be removed\n');
      await build(request);
      await bed.builder.remove(request.reference, UNGUARDED);
      await bed.builder.remove(request.reference, UNGUARDED);
    });
  });
}
