const WIDTH = 90;
const HEIGHT = 22;

/** A small curve of the last half hour. It repeats the figure beside it, so it is hidden from screen readers. */
export function Spark({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span aria-hidden className="inline-block h-[22px] w-[90px]" />;
  const highest = Math.max(1, ...values);
  const x = (index: number) => (index / (values.length - 1)) * WIDTH;
  const y = (value: number) => HEIGHT - 1 - (value / highest) * (HEIGHT - 2);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg aria-hidden width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="text-accent">
      <polyline points={points} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
