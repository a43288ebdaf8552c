/** The action density on a plane, with sliders for the other coordinates. */

import { useRef, useState } from 'preact/hooks';
import type { Item } from '../item';
import { HeatMap, type Map2D } from '../plots/HeatMap';
import { Slider } from '../plots/Slider';
import { Failure, useLatest } from '../task';
import { compute } from './compute';
import type { LinkShape } from './links';

interface Properties {
  item: Item;
  index: number;
  shape: LinkShape;
}

export function Density({ item, index, shape }: Properties) {
  const [width, height] = shape.dims;
  const times = shape.dims[shape.dims.length - 1];
  const depth = shape.dims.length > 3 ? shape.dims[2] : 1;
  const [isShown, setShown] = useState(false);
  const [place, setPlace] = useState({ z: 0, t: 0 });
  // The slice that was read last is kept, since z changes more often than t.
  const kept = useRef<{ t: number; values: Promise<Float64Array> } | undefined>(undefined);
  const { value, error } = useLatest<Map2D | undefined>(async () => {
    if (!isShown) return undefined;
    const { z, t } = place;
    if (kept.current?.t !== t) kept.current = { t, values: read(item, index, shape, t) };
    const { values } = kept.current;
    const plane = await values.catch((thrown) => {
      kept.current = undefined;
      throw thrown;
    });
    return {
      title: `Action density in the x-y plane at z = ${z}, t = ${t}`, quantity: 'action density',
      values: plane.subarray(z * width * height), width, height,
      x: { label: 'x', first: 0, last: width - 1 }, y: { label: 'y', first: 0, last: height - 1 },
    };
  }, [item, isShown, place]);
  return (
    <section class="actions" aria-label="Action density">
      <button type="button" class="show-density" onClick={() => setShown(true)}>Show the action density</button>
      {isShown && (
        <>
          <Slider id={`slider-${index}-z`} label="z" value={place.z} last={depth - 1} onMove={(z) => setPlace({ ...place, z })} />
          <Slider id={`slider-${index}-t`} label="t" value={place.t} last={times - 1} onMove={(t) => setPlace({ ...place, t })} />
        </>
      )}
      <div aria-live="polite">
        {value && <HeatMap map={value} />}
        <Failure message={error} />
      </div>
    </section>
  );
}

async function read(item: Item, index: number, shape: LinkShape, t: number): Promise<Float64Array> {
  const times = shape.dims[shape.dims.length - 1];
  const file = await item.open();
  // The slices are read one after the other. Reading both at once would load another worker.
  const current = await file.readField(index, { slice: t });
  const next = await file.readField(index, { slice: (t + 1) % times });
  return compute<Float64Array>({ task: 'density', shape, current, next });
}
