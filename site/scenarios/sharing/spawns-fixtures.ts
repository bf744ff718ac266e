import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

/** Runs before everything else in the server's process: counts the processes it starts, and makes them fail when told to. */
const recorder = `
  const { appendFileSync, existsSync } = process.getBuiltinModule('node:fs')
  const processes = process.getBuiltinModule('node:child_process')
  const { promisify } = process.getBuiltinModule('node:util')
  const start = promisify(processes.execFile)
  const record = process.env.RECORDED_SPAWNS
  processes.execFile = () => {}
  processes.execFile[promisify.custom] = (file, words, options) => {
    appendFileSync(record, 'x')
    return start(file, existsSync(record + '-broken') ? ['--no-such-option'] : words, options)
  }`

/** The variables of a server whose processes are counted. */
export function spawnsRecorded() {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-spawns-'))
  const record = join(folder, 'spawns')
  writeFileSync(record, '')
  afterAll(() => rmSync(folder, { recursive: true }))
  const { NODE_OPTIONS, ...others } = withOverrides()
  const importing = `--import=data:text/javascript,${encodeURIComponent(recorder)}`
  return {
    variables: { ...others, NODE_OPTIONS: `${NODE_OPTIONS} ${importing}`, RECORDED_SPAWNS: record },
    count: () => readFileSync(record, 'utf8').length,
    breakThem: () => writeFileSync(`${record}-broken`, ''),
  }
}
