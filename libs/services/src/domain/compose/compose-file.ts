/** The type of a file that the schema has checked. Values that the schema refused are undefined. */
export interface ComposeFile {
  readonly version?: unknown;
  readonly services?: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, ComposeNetwork | null>>;
  readonly volumes?: Readonly<Record<string, ComposeVolume | null>>;
  readonly secrets?: Readonly<Record<string, ComposeInlineFile>>;
  readonly configs?: Readonly<Record<string, ComposeInlineFile>>;
}

/** A number, or its digits in a string. */
export type Numeric = number | string;
export type Truth = boolean | string;
export type Scalar = string | number | boolean | null;
export type Pairs = Readonly<Record<string, Scalar>> | readonly (string | undefined)[];
export type OneOrMore = string | readonly (string | undefined)[];

export interface ComposeNetwork {
  readonly driver?: string;
  readonly internal?: Truth;
  readonly labels?: Pairs;
  readonly 'x-panel'?: 'organisation';
}

export interface ComposeVolume {
  readonly driver?: string;
  /** Our own key: old and new containers may use the volume at the same time. */
  readonly 'x-shared'?: unknown;
  readonly labels?: Pairs;
}

export interface ComposeInlineFile {
  readonly content?: string;
}

export interface ComposeService {
  readonly image?: string;
  readonly command?: OneOrMore | null;
  readonly entrypoint?: OneOrMore | null;
  readonly environment?: Pairs;
  readonly volumes?: readonly (string | ComposeMount | undefined)[];
  readonly tmpfs?: OneOrMore;
  readonly ports?: readonly (Numeric | ComposePort | undefined)[];
  readonly expose?: readonly (Numeric | undefined)[];
  readonly networks?: readonly (string | undefined)[] | Readonly<Record<string, ComposeAttachment | null>>;
  readonly depends_on?: readonly (string | undefined)[] | Readonly<Record<string, ComposeDependency>>;
  readonly healthcheck?: ComposeHealthcheck;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly stop_signal?: Numeric;
  readonly init?: Truth;
  readonly read_only?: Truth;
  readonly user?: Numeric;
  readonly working_dir?: string;
  readonly hostname?: string;
  readonly shm_size?: Numeric;
  readonly ulimits?: Readonly<Record<string, Numeric | { readonly soft?: Numeric; readonly hard?: Numeric }>>;
  readonly tty?: Truth;
  readonly stdin_open?: Truth;
  readonly extra_hosts?: readonly (string | undefined)[] | Readonly<Record<string, OneOrMore>>;
  readonly dns?: OneOrMore;
  readonly labels?: Pairs;
  readonly cap_add?: readonly (string | undefined)[];
  readonly cap_drop?: readonly (string | undefined)[];
  readonly security_opt?: readonly (string | undefined)[];
  readonly group_add?: readonly (Numeric | undefined)[];
  readonly profiles?: readonly (string | undefined)[];
  readonly deploy?: { readonly resources?: ComposeResources } | null;
  readonly mem_limit?: Numeric;
  readonly cpus?: Numeric;
  readonly pids_limit?: Numeric;
  readonly secrets?: readonly (string | ComposeFileUse | undefined)[];
  readonly configs?: readonly (string | ComposeFileUse | undefined)[];
  readonly logging?: { readonly driver?: string; readonly options?: Readonly<Record<string, Numeric>> };
}

export interface ComposeMount {
  readonly type?: string;
  readonly source?: string;
  readonly target?: string;
  readonly read_only?: Truth;
  readonly volume?: { readonly nocopy?: Truth };
  readonly tmpfs?: { readonly size?: Numeric; readonly mode?: string };
}

export interface ComposePort {
  readonly name?: string;
  readonly target?: Numeric;
  readonly published?: Numeric;
  readonly host_ip?: string;
  readonly protocol?: string;
  readonly mode?: string;
  readonly app_protocol?: string;
}

export interface ComposeAttachment {
  readonly aliases?: readonly (string | undefined)[];
}

export interface ComposeDependency {
  readonly condition?: string;
  readonly restart?: Truth;
  readonly required?: Truth;
}

export interface ComposeHealthcheck {
  readonly test?: OneOrMore;
  readonly interval?: string;
  readonly timeout?: string;
  readonly start_period?: string;
  readonly start_interval?: string;
  readonly retries?: Numeric;
  readonly disable?: Truth;
}

export interface ComposeResources {
  readonly limits?: { readonly cpus?: Numeric; readonly memory?: Numeric; readonly pids?: Numeric };
  readonly reservations?: { readonly cpus?: Numeric; readonly memory?: Numeric };
}

export interface ComposeFileUse {
  readonly source?: string;
  readonly target?: string;
  readonly uid?: Numeric;
  readonly gid?: Numeric;
  readonly mode?: string;
}
