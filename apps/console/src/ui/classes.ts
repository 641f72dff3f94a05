/** Joins the class names that apply. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');

/** A name that leads to the page of what it names. */
export const nameLink = 'text-accent font-medium break-words underline-offset-2 hover:underline';
