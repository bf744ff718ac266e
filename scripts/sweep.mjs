// Runs the whole of two tests of which `npm test` runs a part: the sweep of the access matrix (every route with every method,
// every disguise of its path and every kind of session; there a random tenth), and a migration killed ten times.
process.env.SWEEP = 'whole'
process.argv.push('site/scenarios/access/access-matrix.test.ts', 'cli/commands/migrate-to.test.ts')
await import('./test.mjs')
