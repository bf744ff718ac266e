/**
 * The oldest browsers that visitors may have, as the README says; the administration wants newer ones. Everything is built
 * for these, and scripts/browsers.mjs compares what was built with them.
 */
export const oldest = { chrome: 105, firefox: 115, safari: 15.4, ios: 15.4 }

/** For Vite and esbuild. */
export const targets = Object.entries(oldest).map(([name, version]) => `${name}${version}`)
