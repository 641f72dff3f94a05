import { Button } from '../../../ui/button';

/** `${NAME}` without a value of its own behind a colon or a minus; `$$` stands for a dollar sign. */
const USED = /(?<!\$)\$(?:\{([A-Za-z_]\w*)(?:\?[^}]*|:\?[^}]*)?\}|([A-Za-z_]\w*))/g;

/** The names that a compose file uses and nobody has given a value. */
export function missingNames(composeYaml: string, known: readonly string[]): readonly string[] {
  const used = [...composeYaml.matchAll(USED)].map(([, braced, bare]) => braced ?? bare ?? '');
  return [...new Set(used)].filter((name) => !known.includes(name));
}

/** Offers a field for each variable that the file uses and that has no value yet. */
export function MissingVariables({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  if (names.length === 0) return null;
  return (
    <div className="text-quiet flex flex-wrap items-center gap-2 text-sm">
      The file uses variables that have no value yet:
      {names.map((name) => (
        <Button key={name} onClick={() => onAdd(name)}>
          Add {name}
        </Button>
      ))}
    </div>
  );
}
