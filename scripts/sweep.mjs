// Runs the complete sweep of the access matrix, of which `npm test` runs a random tenth: every route with every method, every
// disguise of its path and every kind of session.
process.env.SWEEP = 'whole'
process.argv.push('site/scenarios/access/access-matrix.test.ts')
await import('./test.mjs')
