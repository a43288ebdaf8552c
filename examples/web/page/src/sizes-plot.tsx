/** Histograms of sizes in views that are made without Preact. */

import { mounted } from './mount';
import { SizesPlot } from './plots/SizesPlot';

export function sizesPlot(sizes: number[], title: string): HTMLElement {
  return mounted(<SizesPlot sizes={sizes} title={title} yLabel="number" />);
}
