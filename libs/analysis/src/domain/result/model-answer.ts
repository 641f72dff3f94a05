/** The model's answer. It has the right shape, but its contents are not trusted. */
export interface ModelAnswer {
  readonly summary: string;
  readonly language: string | null;
  readonly framework: string | null;
  readonly port: number | null;
  readonly start_command: string | null;
  readonly health_path: string | null;
  readonly env_vars: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly secret: boolean;
    readonly default: string | null;
    readonly description: string | null;
    readonly evidence: string;
  }[];
  readonly databases: readonly string[];
  readonly volumes: readonly string[];
}
