/** The compiled modules. Each is compiled once, in the calling thread, for all workers. */

import { type ModuleName, platform } from './platform.js';

const modules = new Map<ModuleName, Promise<WebAssembly.Module>>();

/** Compiles a module when it is first needed. After a failure, the next call tries again. */
export function compiled(name: ModuleName): Promise<WebAssembly.Module> {
  let module = modules.get(name);
  if (!module) {
    module = platform().compile(name).catch((thrown) => {
      modules.delete(name);
      throw thrown;
    });
    modules.set(name, module);
  }
  return module;
}

/** Compiles the modules anew when they are needed next: after a defect, since a download may have been damaged. */
export function forgetModules(): void {
  modules.clear();
}
