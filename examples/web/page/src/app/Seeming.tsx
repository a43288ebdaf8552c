/** What an unrecognised file seems to be. */

import { recognise } from '../input/recognise';
import type { Item } from '../item';
import { useLatest } from '../task';

/** Number of first bytes that are looked at. */
const LOOKED_AT = 512;

export function Seeming({ item }: { item: Item }) {
  const { value } = useLatest(async () => recognise(await (await item.open()).readBytes(0, LOOKED_AT)), [item]);
  return <p class="seeming">{value ? `It seems to be ${value.kind}. ${value.advice}` : ''}</p>;
}
