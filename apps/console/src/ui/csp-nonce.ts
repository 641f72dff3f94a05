/** The nonce of this page, for libraries that add style elements while it runs. */
export const cspNonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
