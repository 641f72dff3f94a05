import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Props {
  readonly label: string;
  /** The time that is shown, in seconds since the epoch, whether or not there are values for all of it. */
  readonly from: number;
  readonly to: number;
  /** Seconds since the epoch, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** How a value is written. */
  readonly write: (value: number) => string;
}

const HEIGHT = 180;
const STROKES = ['--color-accent', '--color-busy'] as const;
const LEGEND = ['bg-accent', 'bg-busy'] as const;

/** Curves over time. Colours are read from the theme when it is drawn. */
export default function Chart({ label, from, to, times, lines, write }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const names = lines.map(({ name }) => name).join();
  const window = useRef({ from, to });
  window.current = { from, to };
  const writes = useRef(write);
  writes.current = write;

  useEffect(() => {
    const element = host.current!;
    const draw = () => {
      plot.current?.destroy();
      plot.current = drawing(element, lines, window, writes);
      plot.current.setData(data(times, lines));
    };
    draw();
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    const stop = whenThemeChanges(draw);
    return () => {
      stop();
      resize.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names]);

  useEffect(() => plot.current?.setData(data(times, lines)), [times, lines]);

  return (
    <div className="min-w-0">
      <div ref={host} role="img" aria-label={label} className="text-quiet min-w-0" />
      {lines.length > 1 ? (
        <ul className="text-quiet mt-2 flex flex-wrap gap-4 text-xs">
          {lines.map(({ name }, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={`h-0.5 w-4 ${LEGEND[index % LEGEND.length]}`} />
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function drawing(
  element: HTMLElement,
  lines: readonly Line[],
  window: { readonly current: { from: number; to: number } },
  writes: { readonly current: (value: number) => string },
): UPlot {
  const style = getComputedStyle(element);
  const axis = {
    stroke: style.color,
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colourOf(element, '--color-line'), width: 1 },
    ticks: { show: false },
  };
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      axes: [
        { ...axis, gap: 8 },
        { ...axis, size: 64, values: (_plot, marks) => marks.map((mark) => writes.current(mark)) },
      ],
      scales: {
        x: { range: () => [window.current.from, window.current.to] },
        y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
      },
      series: [
        {},
        ...lines.map(({ name }, index) => ({
          label: name,
          stroke: colourOf(element, STROKES[index % STROKES.length]!),
          width: 2,
        })),
      ],
    },
    data([], lines),
    element,
  );
}

/** A canvas does not follow the theme by itself. */
function whenThemeChanges(act: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', act);
  const chosen = new MutationObserver(act);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', act);
    chosen.disconnect();
  };
}

const data = (times: Props['times'], lines: readonly Line[]): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => (times.length === 0 ? [] : [...values])),
];

/** The colour that a custom property of the theme stands for now: a canvas cannot read `light-dark()`. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
