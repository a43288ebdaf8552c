/** The comparison of the package. */

export { diff, type ChangedValue, type Change, type DataComparison, type DiffOptions, type DiffReport, type LargestDifference } from 'linkstream';
