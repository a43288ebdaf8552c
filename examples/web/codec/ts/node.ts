/** Verifies and reads the files of lattice QCD in Node, Deno and Bun. */

import { NODE } from './node-platform.js';
import { usePlatform } from './platform.js';

usePlatform(NODE);

export * from './api.js';
