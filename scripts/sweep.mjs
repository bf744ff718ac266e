// Runs whole what `npm test` does a tenth of, another one each time: every route with every method, every disguise of its
// path and every kind of session.
process.env.SWEEP = 'whole'
process.argv.push('site/scenarios/access/access-matrix.test.ts')
await import('./test.mjs')
