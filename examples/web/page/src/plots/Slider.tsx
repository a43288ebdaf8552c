/** A slider that shows its value. */

interface Properties {
  id: string;
  label: string;
  value: number;
  last: number;
  /** Called while the slider is moved. */
  onMove: (value: number) => void;
}

export function Slider({ id, label, value, last, onMove }: Properties) {
  const take = (event: Event & { currentTarget: HTMLInputElement }) => onMove(event.currentTarget.valueAsNumber);
  return (
    <label class="slider">
      {label}
      <input type="range" id={id} min={0} max={last} value={value} onInput={take} onChange={take} disabled={last === 0} />
      <output for={id}>{`${value} of 0 to ${last}`}</output>
    </label>
  );
}
