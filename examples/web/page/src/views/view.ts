/** Properties of every view of a report. */

import type { Report } from 'linkstream';
import type { Item } from '../item';
import type { Target } from '../link';

export interface ViewProperties {
  item: Item;
  report: Report;
  /** Place to show, as long as the view is the current one. */
  target: Target;
  /** Number of visits of places: a link to the present place shows it again. */
  visits: number;
}
