export const ALONE: ReadonlySet<string>;
export const THOROUGH: ReadonlySet<string>;
export const SUITE: string;
export function isLeftOut(file: string): boolean;
export function specsTogether(folder: string): string[];
export function allTogether(folder: string): string[];
