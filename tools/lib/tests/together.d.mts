export const ALONE: ReadonlySet<string>;
export const SUITE: string;
export function specsTogether(folder: string): string[];
export function allTogether(folder: string): string[];
