/** Verifies and reads the files of lattice QCD in pages and workers of browsers. */

import { BROWSER } from './browser.js';
import { usePlatform } from './platform.js';

usePlatform(BROWSER);

export * from './api.js';
