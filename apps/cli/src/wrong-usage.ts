/** Words that cannot be understood or are missing: exit code 2, whatever the installation holds. */
export class WrongUsage extends Error {
  constructor(
    readonly slug: string,
    message: string,
  ) {
    super(message);
  }

  /** A value that is none of its kind: no number, no date, none of the known words. */
  static value(option: string, problem: string): WrongUsage {
    return new WrongUsage('validation', `${option} ${problem}`);
  }
}
