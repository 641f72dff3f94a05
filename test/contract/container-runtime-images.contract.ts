import { ImagePullFailed } from '../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type { PullProgress } from '../../libs/services/src/application/ports/engine/container-runtime.js';
import { anImageReference } from '../support/docker/plans.js';
import { freely, type RuntimeBed } from './container-runtime-bed.js';

export function itPullsImages(bedOf: () => RuntimeBed): void {
  const pull = (reference: string, policy: 'always' | 'if-missing' = 'always') =>
    bedOf().runtime.pullImage({ image: anImageReference(reference), policy }, freely);

  const pullError = async (reference: string, policy: 'always' | 'if-missing' = 'always'): Promise<ImagePullFailed> => {
    const error: unknown = await pull(reference, policy).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImagePullFailed);
    return error as ImagePullFailed;
  };

  describe('images', () => {
    it('arrive with the digest that the registry gave them, their labels and some progress', async () => {
      const reference = `${bedOf().registry}/arrives:1`;
      const digest = await bedOf().publish(reference, { labels: { 'example.answer': '42' } });
      const progress: PullProgress[] = [];
      const image = await bedOf().runtime.pullImage(
        { image: anImageReference(reference), policy: 'always', onProgress: (step) => progress.push(step) },
        freely,
      );
      expect(image).toMatchObject({ digest, id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
      expect(image.labels).toEqual(new Map([['example.answer', '42']]));
      expect(progress.length).toBeGreaterThan(0);
    });

    it('are not asked for again where a standing one will do', async () => {
      const reference = `${bedOf().registry}/standing:1`;
      const first = await bedOf().publish(reference, { labels: { build: '1' } });
      await pull(reference);
      const second = await bedOf().publish(reference, { labels: { build: '2' } });
      expect((await pull(reference, 'if-missing')).digest).toBe(first);
      expect((await pull(reference, 'always')).digest).toBe(second);
    });

    it('come by their digest whatever the tag says today', async () => {
      const reference = `${bedOf().registry}/moved:1`;
      const first = await bedOf().publish(reference, { labels: { build: '1' } });
      await bedOf().publish(reference, { labels: { build: '2' } });
      const image = await pull(`${bedOf().registry}/moved@${first}`);
      expect(image).toMatchObject({ digest: first, labels: new Map([['build', '1']]) });
    });

    it('are found on the engine by tag and by digest, and not found when they are not there', async () => {
      const reference = `${bedOf().registry}/found:1`;
      const digest = await bedOf().publish(reference);
      expect(await bedOf().runtime.inspectImage(anImageReference(reference))).toBeNull();
      const image = await pull(reference);
      expect(await bedOf().runtime.inspectImage(anImageReference(reference))).toEqual(image);
      const byDigest = anImageReference(`${bedOf().registry}/found@${digest}`);
      expect(await bedOf().runtime.inspectImage(byDigest)).toEqual(image);
    });

    it('lose their tag once, and are asked of the registry then', async () => {
      const reference = `${bedOf().registry}/untagged:1`;
      const image = anImageReference(reference);
      await bedOf().publish(reference);
      await pull(reference);
      await bedOf().runtime.removeTag(image, freely);
      await bedOf().runtime.removeTag(image, freely);
      expect(await bedOf().runtime.inspectImage(image)).toBeNull();
      expect((await pull(reference, 'if-missing')).digest).toMatch(/^sha256:/);
    });

    it.each(['nothing:1', 'nothing@sha256:' + '0'.repeat(64)])('fail as missing: %s', async (name) => {
      const error = await pullError(`${bedOf().registry}/${name}`);
      expect(error).toMatchObject({ slug: 'image_pull_failed', reason: 'missing' });
      expect(error.message).toContain(`${bedOf().registry}/${name}`);
    });

    it('fail as unreachable when no registry answers, even where an older copy stands', async () => {
      const reference = `${bedOf().deadRegistry}/stale:1`;
      await bedOf().makeLocal(reference);
      expect(await pullError(reference, 'always')).toMatchObject({ slug: 'image_pull_failed', reason: 'unreachable' });
      expect(await pull(reference, 'if-missing')).toMatchObject({ digest: null });
    });

    it('fail as denied when the registry wants credentials', async () => {
      expect(await pullError(`${bedOf().guardedRegistry}/private:1`)).toMatchObject({
        slug: 'image_pull_failed',
        reason: 'denied',
      });
    });
  });
}
