export const THOROUGH: ReadonlySet<string>;
export function isThorough(): boolean;
export function isLeftOut(file: string): boolean;
