// Compiles programs that use the package, as a project that has installed it would.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compiles files, given as an object of their texts by their names, with a TypeScript compiler. Returns its complaints.
 * All declarations of the package are checked, too.
 */
export function compile(ts, files, lib = ['lib.es2022.d.ts', 'lib.dom.d.ts']) {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules/linkstream'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const names = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
    const program = ts.createProgram(names, {
      lib, types: [], strict: true, skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: false,
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file ? `${file.fileName.split('/').slice(-2).join('/')}:${file.getLineAndCharacterOfPosition(start).line + 1}` : '';
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
