/** The oldest browsers that can use the site, as the README says. */
export const oldest = {
  visitors: { chrome: 105, firefox: 115, safari: 15.4, ios: 15.4 },
  administration: { chrome: 111, firefox: 121, safari: 16.4, ios: 16.4 },
}

/** Everything is built for the older ones: many scripts belong to both. */
export const targets = Object.entries(oldest.visitors).map(([name, version]) => `${name}${version}`)
