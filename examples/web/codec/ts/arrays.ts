/**
 * Typed arrays with memory of their own, which is not shared. TypeScript states the memory of an array since version 5.7.
 * These definitions have the same meaning before and after.
 */

export type Bytes = ReturnType<typeof Uint8Array.of>;
export type Singles = ReturnType<typeof Float32Array.of>;
export type Doubles = ReturnType<typeof Float64Array.of>;
export type Integers = ReturnType<typeof BigInt64Array.of>;
