// Measures how fast the command line starts, compared to `node -e 0` in the same run.
// Usage: node lab/bench/cli.mjs [ROUNDS]
//
// Every round runs each row once, so that a change in the machine's speed affects all rows. Prints medians in ms with the
// minimum and the maximum, and the ratio to `node -e 0` of the project's own Node, which runs the command.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { localNode, root, systemEnvironment } from '../../scripts/local-node.mjs'

const rounds = Number(process.argv[2] ?? 15)
const command = join(root, 'cli', 'rsvp')
const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
const env = { ...process.env, DATABASE_URL: `file:${join(folder, 'data', 'rsvp.db')}`, NODE_ENV: 'production' }
const systemNode = execFileSync('sh', ['-c', 'command -v node'], { env: systemEnvironment() }).toString().trim()

const rows = [
  { name: 'node -e 0', run: () => finished(localNode(), ['-e', '0']) },
  { name: `node -e 0 (the machine's)`, run: () => finished(systemNode, ['-e', '0']) },
  { name: 'rsvp --help', limit: 1.5, run: () => finished(command, ['--help']) },
  { name: 'rsvp list, 100 in a pipe', limit: 2.0, run: () => finished(command, ['list']) },
  { name: 'rsvp list, first frame', limit: 8.5, run: () => firstFrame(['list'], 'RSVP Responses') },
]

finished(command, ['init', '--yes', '--quiet'])
finished(command, ['seed', '--count', '100', '--quiet'])
for (const row of rows) await row.run()

const times = rows.map(() => [])
for (let round = 0; round < rounds; round++) {
  for (const [index, row] of rows.entries()) times[index].push(await timed(row.run))
}
rmSync(folder, { recursive: true, force: true })

const base = median(times[0])
for (const [index, { name, limit }] of rows.entries()) {
  const [least, middle, most] = [Math.min(...times[index]), median(times[index]), Math.max(...times[index])]
  const ratio = (middle / base).toFixed(2)
  const owed = limit === undefined ? '' : ` (owed ≤ ${limit.toFixed(1)}${middle / base > limit ? ', missed' : ''})`
  const numbers = [middle, least, most].map((ms) => ms.toFixed(1).padStart(6))
  console.log(`${name.padEnd(28)} ${numbers[0]} ms  [${numbers[1]} …${numbers[2]}]  ${ratio} ×${owed}`)
}

async function timed(run) {
  const started = performance.now()
  await run()
  return performance.now() - started
}

function finished(file, words) {
  const { status, stderr } = spawnSync(file, words, { env })
  if (status !== 0) throw new Error(`${file} ${words.join(' ')} ended with ${status}: ${stderr}`)
}

/** Waits until a text is on the screen of a real terminal. */
function firstFrame(words, text) {
  return new Promise((resolve) => {
    const terminal = spawnInTerminal(command, words, { cols: 100, rows: 30, env: { ...env, TERM: 'xterm-256color' } })
    let seen = ''
    terminal.onData((part) => {
      seen += part
      if (!seen.includes(text)) return
      resolve()
      terminal.kill()
    })
  })
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
