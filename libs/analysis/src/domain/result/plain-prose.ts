import { visibleText } from '#kernel/text/visible-text';

/**
 * A sentence of the model or of a repository as it may be shown: one paragraph without links, code or marks that a
 * page or another model could take for more than words.
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
