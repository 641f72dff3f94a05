/**
 * The process cannot start in this situation. The message is one line for the person at the terminal, with the remedy.
 */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefused';
  }
}
