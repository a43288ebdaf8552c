/** Heat maps of matrices in views that are made without Preact. */

import { mounted } from './mount';
import { HeatMap } from './plots/HeatMap';

export function heatMap(values: ArrayLike<number>, width: number, height: number, title: string): HTMLElement {
  return mounted(<HeatMap title={title} values={values} width={width} height={height} xLabel="column" yLabel="row" quantity="value" origin="top" />);
}
