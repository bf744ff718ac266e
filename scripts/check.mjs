// Checks everything that is not a test: format and lint, types, imports, dead code, the size of the site, what the oldest
// browsers lack, and that the generated documents match the program.
//
// Prints a line for each check and the output of each failed one; ends with exit code 1 if any failed.
import pLimit from 'p-limit'
import { localEnvironment } from './local-node.mjs'
import { Failure, finish, run } from './run.mjs'

const folders = ['db', 'site', 'cli', 'scripts', 'lab']

const checks = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['types', 'astro', ['check', '--minimumFailingSeverity', 'warning', '--minimumSeverity', 'warning']],
  ['import directions', 'depcruise', [...folders, '--output-type', 'err-long']],
  ['dead code', 'knip', []],
  ['exports that only tests use', 'knip', ['--production', '--exports']],
  ['size of /share', 'scripts/share-bundle.mjs', []],
  ['oldest browsers', 'scripts/browsers.mjs', []],
  ['documents', 'scripts/documents.mjs', ['--check']],
]

finish(async () => {
  // The type check alone takes half of the total time.
  const together = pLimit(2)
  const passed = await Promise.all(checks.map((check) => together(() => passes(...check))))
  const failed = checks.filter((_, place) => !passed[place]).map(([name]) => name)
  if (failed.length > 0)
    throw new Failure(`\n${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}.`)
})

async function passes(name, tool, args) {
  const started = Date.now()
  const [program, ...words] = tool.endsWith('.mjs') ? ['node', tool, ...args] : [tool, ...args]
  const { code, output } = await run(program, words, localEnvironment({ NO_COLOR: '1', CI: '1' }))
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(`\n${output.trim()}\n`)
  return code === 0
}
