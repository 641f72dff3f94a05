import { hasMounts, withoutCacheMounts } from './run-mounts.js';

describe('the mounts of steps', () => {
  it('lose those that are a cache, and keep all others', () => {
    const text = [
      'FROM node',
      'RUN --mount=type=cache,id=x-/root/npm,target=/root/.npm npm ci',
      'RUN --mount=type=secret,id=npmrc --mount=target=/c,type=cache \\',
      '  npm run build',
      'RUN echo --mount=type=cache',
      'RUN --mount=type=bind,source=cache,target=/x true',
      'COPY . .',
      '',
    ].join('\n');
    expect(withoutCacheMounts(text)).toEqual({
      isChanged: true,
      text: [
        'FROM node',
        'RUN npm ci',
        'RUN --mount=type=secret,id=npmrc npm run build',
        'RUN echo --mount=type=cache',
        'RUN --mount=type=bind,source=cache,target=/x true',
        'COPY . .',
        '',
      ].join('\n'),
    });
  });

  it('are found in front of a command only', () => {
    expect(hasMounts('FROM a\nRUN --mount=type=secret,id=x true\n')).toBe(true);
    expect(hasMounts('FROM a\nRUN true --mount=type=secret,id=x\n')).toBe(false);
    expect(withoutCacheMounts('FROM a\nRUN true\n')).toEqual({ text: 'FROM a\nRUN true\n', isChanged: false });
  });
});
