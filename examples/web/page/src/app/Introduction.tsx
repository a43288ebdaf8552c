/** What the page is for, before the first file. */

import { version } from '../../../codec/package.json';

/** Plaquette of each time slice of the sample: a picture of what the page shows. */
const SAMPLE = [0.5845, 0.6006, 0.5846, 0.5872, 0.6104, 0.5999, 0.5993, 0.5989];
const LEAST = 0.58;
const x = (t: number) => 34 + 15 * t;
const y = (plaquette: number) => 84 - 2300 * (plaquette - LEAST);

const FORMATS = [
  ['LIME', 'gauge fields, propagators and other fields of ILDG, SciDAC and QIO, and QIO file sets'],
  ['NERSC, MILC', 'archives of gauge fields'],
  ['scda', 'checkpoints, also with compressed sections'],
  ['INEBIN', 'matrices of Aion'],
];

export function Introduction() {
  return (
    <div class="introduction">
      <div>
        <p>
          This page tells whether a data file of lattice QCD is whole: it reads all of it and compares the data with the
          checksums in the file. It shows the records, the physics and every broken rule, and saves data as NumPy arrays or CSV.
        </p>
        <dl>
          {FORMATS.map(([name, contents]) => <div key={name}><dt>{name}</dt><dd>{contents}</dd></div>)}
        </dl>
        <p>
          Several files, or a folder, become a table of an ensemble. A file of any size can be read. A remote file is read from its
          server, which must permit this by CORS headers.
        </p>
        <p class="version">{`linkstream ${version}`}</p>
      </div>
      <figure>
        <svg viewBox="0 0 160 110" role="img" aria-label="The plaquette of each time slice of the sample">
          <path class="axis" d="M26 8 V90 H152" />
          <polyline points={SAMPLE.map((plaquette, t) => `${x(t)},${y(plaquette)}`).join(' ')} />
          {SAMPLE.map((plaquette, t) => <circle key={t} cx={x(t)} cy={y(plaquette)} r="2.5" />)}
          {[0.59, 0.6, 0.61].map((tick) => <text key={tick} x="2" y={y(tick) + 3}>{tick.toFixed(2)}</text>)}
          {[0, 2, 4, 6].map((t) => <text key={t} x={x(t) - 2.5} y="99">{t}</text>)}
          <text x="140" y="106">t</text>
        </svg>
        <figcaption>The plaquette of each time slice of the sample</figcaption>
      </figure>
    </div>
  );
}
