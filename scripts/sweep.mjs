// Runs the whole of three tests of which `npm test` runs a part: the sweep of the access matrix (every route with every
// method, every disguise of its path and every kind of session; there a random tenth), a migration killed ten times, and
// every command as a process while the list of processes is watched (there five of them).
process.env.SWEEP = 'whole'
process.argv.push(
  'site/scenarios/access/access-matrix.test.ts',
  'cli/commands/migrate-to.test.ts',
  'cli/scenarios/privacy.test.ts',
)
await import('./test.mjs')
