/** The process cannot start as things are; the message is one line for the person at the terminal, with the cure. */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefused';
  }
}
