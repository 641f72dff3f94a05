import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Props {
  readonly label: string;
  /** Seconds since the epoch, rising. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const HEIGHT = 180;

/** Curves over time. Colours are read from the theme when it is drawn. */
export default function Chart({ label, times, lines }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const names = lines.map(({ name }) => name).join();

  useEffect(() => {
    const element = host.current!;
    const style = getComputedStyle(element);
    const colour = (name: string) => colourOf(element, name);
    const axis = { stroke: style.color, grid: { stroke: colour('--color-line'), width: 1 }, ticks: { show: false } };
    const strokes = [colour('--color-accent'), colour('--color-busy')];
    plot.current = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        axes: [axis, { ...axis, size: 60 }],
        scales: { y: { range: (_self, _low, high) => [0, Math.max(1, high * 1.1)] } },
        series: [
          {},
          ...lines.map(({ name }, index) => ({ label: name, stroke: strokes[index % strokes.length]!, width: 2 })),
        ],
      },
      data(times, lines),
      element,
    );
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
    };
  }, [names]);

  useEffect(() => plot.current?.setData(data(times, lines)), [times, lines]);

  return <div ref={host} role="img" aria-label={label} className="text-quiet min-w-0" />;
}

const data = (times: Props['times'], lines: Props['lines']): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => [...values]),
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
