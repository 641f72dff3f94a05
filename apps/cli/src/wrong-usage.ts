/** Words that cannot be understood or are missing: exit code 2, as for an unknown option. */
export class WrongUsage extends Error {
  constructor(
    readonly slug: string,
    message: string,
  ) {
    super(message);
  }
}
