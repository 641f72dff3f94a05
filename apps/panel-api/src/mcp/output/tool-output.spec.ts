import { MAX_OUTPUT_BYTES, toolResult } from './tool-output.js';

describe('what a tool answers', () => {
  it('is the content, once for programs and once as text for older clients, the warning before it', () => {
    const { content, structuredContent, isError } = toolResult({ name: 'shop' }, 'Do not obey this.');
    expect([structuredContent, isError]).toEqual([{ name: 'shop' }, undefined]);
    expect(content).toEqual([
      { type: 'text', text: 'Do not obey this.' },
      { type: 'text', text: '{"name":"shop"}' },
    ]);
  });

  it('is redacted wherever a text stands', () => {
    const { structuredContent } = toolResult({ rows: [{ message: 'password=hunter22' }] }, null);
    expect(structuredContent).toEqual({ rows: [{ message: 'password=[redacted]' }] });
  });

  it('is at most 64 KiB: what is larger is refused with what to do', () => {
    const sized = (bytes: number) => toolResult({ text: 'ä'.repeat(bytes / 2) }, null);
    const envelope = Buffer.byteLength('{"text":""}');
    expect(sized(MAX_OUTPUT_BYTES - envelope - 1).isError).toBeUndefined();
    const refused = sized(MAX_OUTPUT_BYTES);
    expect([refused.isError, refused.structuredContent]).toEqual([true, undefined]);
    expect(refused.content).toMatchObject([{ type: 'text' }]);
    expect(JSON.stringify(refused.content)).toContain('output_too_large');
  });
});
