// Measures bulk work of the command line: deleting 1,000 responses compared to one DELETE statement, and the memory of an
// export. Usage: node lab/bench/bulk.mjs [ROUNDS] [RESPONSES TO EXPORT]
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localNode, root } from '../../scripts/local-node.mjs'

const rounds = Number(process.argv[2] ?? 9)
const exported = Number(process.argv[3] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
const ids = Array.from({ length: 1000 }, (_, index) => String(index + 1))

const oneStatement = `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { enableForeignKeyConstraints: true })
  database.exec('PRAGMA synchronous=FULL; PRAGMA journal_mode=TRUNCATE')
  database.exec('DELETE FROM rsvps WHERE id IN (${ids.join(',')})')
  database.close()`

const small = filled('small.db', 1000)
const times = { limit: [], ours: [] }
for (let round = 0; round < rounds; round++) {
  times.limit.push(timedOnCopy((file) => finished(localNode(), ['-e', oneStatement, file])))
  times.ours.push(timedOnCopy((file) => rsvp(file, ['delete', '--yes', '--quiet', ...ids])))
}
for (const [name, ms] of Object.entries(times)) {
  console.log(
    `delete 1,000, ${name}: ${median(ms).toFixed(0)} ms [${Math.min(...ms).toFixed(0)} … ${Math.max(...ms).toFixed(0)}]`,
  )
}
console.log(
  `ratio ${(median(times.ours) / median(times.limit)).toFixed(2)}, the start of both processes included (owed ≤ 1.5)`,
)

for (const count of [exported / 10, exported]) {
  const file = filled(`${count}.db`, count)
  const started = performance.now()
  const memory = peakMemory(file, ['export', '--out', `${file}.csv`])
  const seconds = (performance.now() - started) / 1000
  console.log(`export of ${count.toLocaleString('en-US')}: ${seconds.toFixed(1)} s, at most ${memory.toFixed(0)} MiB`)
}
rmSync(folder, { recursive: true, force: true })

function filled(name, count) {
  const file = join(folder, name)
  rsvp(file, ['init', '--yes', '--quiet'])
  rsvp(file, ['seed', '--quiet', '--count', String(count)])
  return file
}

function timedOnCopy(run) {
  const copy = join(folder, 'copy.db')
  copyFileSync(small, copy)
  const started = performance.now()
  run(copy)
  return performance.now() - started
}

/** In MiB, as the process itself reports at its end. */
function peakMemory(file, words) {
  const hook = join(folder, 'hook.cjs')
  const told = join(folder, 'memory')
  const write = `require('node:fs').writeFileSync(${JSON.stringify(told)}, String(process.resourceUsage().maxRSS))`
  writeFileSync(hook, `process.on('exit', () => ${write})`)
  rsvp(file, words, { NODE_OPTIONS: `--require ${hook}` })
  return Number(readFileSync(told, 'utf8')) / 1024
}

function rsvp(file, words, env = {}) {
  finished(join(root, 'cli', 'rsvp'), words, { DATABASE_URL: `file:${file}`, ...env })
}

function finished(file, words, env = {}) {
  const { status, stderr } = spawnSync(file, words, { env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${file} ended with ${status}: ${stderr}`)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
