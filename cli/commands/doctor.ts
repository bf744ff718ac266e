import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findSite, listSites, projectRoot } from '#db/config/places.ts'
import { makePrivateFile } from '#db/process/files.ts'
import type { Context } from '../context.ts'
import { type Finding, wrong } from '../doctor/finding.ts'
import { examine } from '../doctor/findings.ts'
import { failure } from '../exit-code.ts'
import { printJson, printOutput, printRows } from '../output/output.ts'

type Options = { strict?: true; changed?: true; all?: true; json?: true }

const start = promisify(execFile)
const launcher = join(projectRoot, 'cli', 'launcher.cjs')

/** Checks this site, or with --all every site that runs as a service here. */
export async function doctor(options: Options, context: Context): Promise<void> {
  if (options.all) return examineAll(options, context)
  const findings = await examine(context)
  const notable = findings.filter(isNotable)
  if (options.changed && !(await isNews(notable, context))) return failWhere(findings, options)
  const isQuiet = context.quiet || (options.changed && notable.length > 0)
  const told = isQuiet ? notable : findings
  const screen = async (width: number) => {
    if (told.length === 0) return ''
    const { renderFindings } = await import('../screens/Findings.tsx')
    return renderFindings(told, width)
  }
  await printOutput(options.json, { value: told, rows: told.map(rowOf), screen }, context.io)
  failWhere(findings, options)
}

/** Whether the problems differ from the last run; also true if those could not be saved. */
async function isNews(notable: Finding[], { io }: Context): Promise<boolean> {
  const file = join(findSite(io.env).folder, 'data', 'doctor-told')
  const faults = notable.map((finding) => `${rowOf(finding).slice(0, 2).join(' ')}\n`).join('')
  if (faults === (await readFile(file, 'utf8').catch(() => ''))) return false
  await makePrivateFile(file)
    .then(() => writeFile(file, faults))
    .catch(() => undefined)
  return true
}

/** Each site is examined in its own process, because a process has one database. */
async function examineAll(options: Options, { io, quiet }: Context): Promise<void> {
  const all: { site: string; findings: Finding[] }[] = []
  for (const site of listSites()) {
    try {
      // If something is wrong it exits with 1, but still prints its findings.
      const words = [launcher, '--site', site, 'doctor', '--json']
      const { stdout } = await start(process.execPath, words).catch((error) => error)
      all.push({ site, findings: JSON.parse(stdout) })
    } catch {
      const text = `It could not be examined: run \`rsvp doctor --site ${site}\`.`
      all.push({ site, findings: [wrong('Examination', text)] })
    }
  }
  const told = all.map(({ site, findings }) => ({ site, findings: quiet ? findings.filter(isNotable) : findings }))
  const rows = told.flatMap(({ site, findings }) => findings.map((finding) => [site, ...rowOf(finding)]))
  await (options.json ? printJson(told, io) : printRows(rows, io))
  const findings = all.flatMap((one) => one.findings)
  failWhere(findings, options)
}

function failWhere(findings: Finding[], { strict }: Options): void {
  if (findings.some((finding) => !finding.ok || (strict && isNotable(finding)))) throw failure('')
}

function isNotable({ ok, warning }: Finding): boolean {
  return !ok || warning === true
}

function rowOf({ ok, warning, name, text }: Finding): string[] {
  return [warning ? 'warning' : ok ? 'ok' : 'wrong', name, text]
}
