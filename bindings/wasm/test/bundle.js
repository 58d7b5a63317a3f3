/* The input of a bundler: the package, and the module as bytes. */
export { load } from "einspul";
export { default as wasm } from "einspul/einspul.wasm";
