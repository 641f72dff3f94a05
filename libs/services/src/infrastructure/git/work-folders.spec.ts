import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeAbandonedFolders } from './work-folders.js';

describe('work folders of clones', () => {
  it('are removed at the next start, with the key in them, and those of living processes are not', async () => {
    const place = mkdtempSync(path.join(tmpdir(), 'work-folders-'));
    const nobody = 2 ** 22 + 1; // above the largest process id there is
    for (const owner of [process.pid, process.ppid, nobody]) mkdirSync(path.join(place, `panel-git-${owner}-x`));
    writeFileSync(path.join(place, `panel-git-${nobody}-x`, 'key'), 'secret');
    mkdirSync(path.join(place, 'of-somebody-else'));
    await removeAbandonedFolders(place);
    expect(readdirSync(place).sort()).toEqual(['of-somebody-else', `panel-git-${process.ppid}-x`]);
    rmSync(place, { recursive: true });
  });
});
