import { visibleText } from '#kernel/text/visible-text';

/**
 * Text of a model or a repository, made safe to show: one paragraph without links, code or markup that a page or
 * another model could interpret.
 */
export function plainProse(text: string, longest: number): string {
  const words = visibleText(text)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/<[^>]{0,1000}>/g, ' ')
    .replace(/(?:\b[a-z][a-z0-9+.-]*:)?\/\/\S+/gi, ' ')
    .replace(/[`<>{}[\]|\\$#*_~]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...words];
  return characters.length <= longest ? words : `${characters.slice(0, longest - 1).join('')}…`;
}
