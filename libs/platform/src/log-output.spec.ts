import { LogOutput } from './log-output.js';

const full = () => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
};

describe('the log', () => {
  it('drops lines while the disk is full, and logs their number once there is room', () => {
    let written = '';
    let write: (bytes: Buffer) => number = full;
    const output = new LogOutput((bytes) => write(bytes));
    for (let i = 0; i < 3; i++) {
      output.write(`{"line":${i}}\n`);
      output.flush();
    }
    expect(output.dropped).toBe(3);
    write = (bytes) => {
      written += bytes.toString('utf8');
      return bytes.length;
    };
    output.write('{"line":3}\n');
    output.flush();
    output.write('{"line":4}\n');
    output.flush();
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', dropped: 3 }), { line: 3 }, { line: 4 }]);
    expect(output.dropped).toBe(3);
  });

  it('waits for a slow reader without losing lines', () => {
    let written = '';
    let blocked = true;
    const output = new LogOutput((bytes) => {
      if (blocked) throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
      written += bytes.subarray(0, 5).toString('utf8');
      return Math.min(5, bytes.length);
    });
    output.write('first line\n');
    output.flush();
    blocked = false;
    output.write('second line\n');
    output.flush();
    expect(written).toBe('first line\nsecond line\n');
    expect(output.dropped).toBe(0);
  });
});
