/** An invalid command line: exit code 2. */
export class WrongUsage extends Error {
  constructor(
    readonly slug: string,
    message: string,
  ) {
    super(message);
  }

  /** An option or argument with an invalid value. */
  static value(option: string, problem: string): WrongUsage {
    return new WrongUsage('validation', `${option} ${problem}`);
  }
}
