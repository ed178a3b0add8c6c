/// <reference lib="esnext.disposable" preserve="true" />
/** `Symbol.dispose`, which `using` calls; where a runtime lacks it, the registered symbol that polyfills agree on. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
