/** Sliders that show their value and range. */

import { useEffect, useState } from 'preact/hooks';
import './plots.css';

interface Props {
  id: string;
  label: string;
  value: number;
  /** The values are whole numbers from 0 up to this one. */
  last: number;
  /** Called while the slider moves. */
  onInput?: (value: number) => void;
  /** Called when it was moved. */
  onChange?: (value: number) => void;
}

export function Slider({ id, label, value, last, onInput, onChange }: Props) {
  const [shown, setShown] = useState(value);
  useEffect(() => setShown(value), [value]);
  const moved = (then?: (value: number) => void) => (event: Event & { currentTarget: HTMLInputElement }) => {
    const found = Number(event.currentTarget.value);
    setShown(found);
    then?.(found);
  };
  return (
    <label class="slider" for={id}>
      <output for={id} style={{ minWidth: `${label.length + 3 + String(last).length}ch` }}>{label} = {shown}</output>
      <span class="slider-end" aria-hidden="true">0</span>
      <input id={id} type="range" aria-label={label} min={0} max={last} step={1} value={shown} disabled={last === 0}
        onInput={moved(onInput)} onChange={moved(onChange)} />
      <span class="slider-end" aria-hidden="true">{last}</span>
    </label>
  );
}
