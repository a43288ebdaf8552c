/** Values that the texts of a file record, compared with those computed from its data. */

import type { FieldEntry } from 'linkstream';
import { value } from '../format';
import { Table } from '../table';

interface RecordedEntry {
  quantity: string;
  /** Type of the record with the text, or the header. */
  record: string;
  recorded: string;
  computed: number | string | null;
  agrees: boolean | null;
}

const NAMES: Record<string, string> = {
  plaquette: 'average plaquette', spatial_plaquette_trace: 'trace of spatial plaquettes',
  temporal_plaquette_trace: 'trace of temporal plaquettes', link_trace: 'link trace',
  norm2: 'sum of the squares of all numbers', suma: 'checksum a (suma)', sumb: 'checksum b (sumb)',
  nersc_checksum: 'checksum of the NERSC header',
};

export function Recorded({ field }: { field: FieldEntry }) {
  const recorded = ((field as unknown as { recorded?: RecordedEntry[] }).recorded ?? []).map((entry) => [
    NAMES[entry.quantity] ?? entry.quantity,
    entry.record,
    entry.recorded,
    typeof entry.computed === 'number' ? value(entry.computed) : (entry.computed ?? 'not computed'),
    entry.agrees === null ? 'not compared' : entry.agrees ? 'agree' : 'differ',
  ]);
  const sums = (field.checksums ?? []).filter(({ stored }) => stored !== null).map(({ name, stored, computed }) => [
    `checksum ${name}`, 'header', stored ?? '', computed ?? 'not computed',
    computed === null ? 'not compared' : computed === stored ? 'agree' : 'differ',
  ]);
  const rows = [...checksumOf(field), ...sums, ...recorded];
  if (rows.length === 0) return null;
  return <Table caption="Stored and computed values" head={['quantity', 'stored in', 'stored', 'computed', 'comparison']} rows={rows} cards />;
}

/** The SciDAC checksum, of which the report has only the state. */
function checksumOf({ checksum, source }: FieldEntry): string[][] {
  if (source === 'nersc' || source === 'milc' || checksum == null || checksum === 'absent') return [];
  return [['SciDAC checksum', 'scidac-checksum', 'stored', 'computed', checksum === 'match' ? 'agree' : 'differ']];
}
