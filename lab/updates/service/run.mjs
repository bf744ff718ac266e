// Updates a site that runs as a service and is used, in an empty Debian that boots: to good releases and to bad ones, back
// again, and with updates that are killed. Ends with exit code 1 where a request gets no reply, except from a release that
// ends or hangs by itself, where an RSVP is lost or stored twice, a page misses a file, or another version is in use than
// should be.
//
// Usage: npm run release -- --platform linux-x64, then npm run updates:service, which takes about seven minutes, with these
// options:
//
//   --times N  20 by default; every fourth is a bad release
//   --seed N   repeats the RSVPs, and the moments of the kills
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Failure, finish } from '../../../scripts/run.mjs'
import { bootDebian, prepareDebian } from '../../installs/debian.mjs'
import { releaseFile } from '../../installs/release-file.mjs'
import { newSeed, Random } from '../../random.ts'
import { startLoad } from './start-load.mjs'
import { isBad, kinds, makeVersion } from './variants.mjs'

/** An update is killed at a moment before this. */
const LONGEST_KILLED_MS = 8_000
const PRINTED = 20
const bad = kinds.filter(isBad)

finish(async () => {
  const { values } = parseArgs({
    options: { times: { type: 'string', default: '20' }, seed: { type: 'string', default: String(newSeed()) } },
  })
  const seed = Number(values.seed)
  await prepareDebian()
  const machine = await bootDebian()
  const make = (version, kind) =>
    makeVersion(join(machine.folder, 'root/base'), join(machine.folder, 'root', `v${version}`), version, kind)
  let load
  try {
    copyFileSync(releaseFile('linux-x64.tar.gz'), join(machine.folder, 'root/release.tar.gz'))
    machine.sh('tar xf release.tar.gz && mv rsvp-*-linux-x64 base')
    make('1.0.0', 'good')
    machine.sh('v1.0.0/cli/rsvp service install --yes')
    load = startLoad(machine, seed)
    const { findings, counts, dying } = await update(machine, {
      times: Number(values.times),
      random: new Random(seed),
      make,
    })
    const outcome = await load.stop()
    const isExcused = ({ at }) => dying.some(({ from, to }) => at >= from && at <= to)
    const missed = outcome.withoutReply.filter((request) => !isExcused(request))
    console.log(
      `${counts}, seed ${seed}: ${outcome.replies} replies, ${outcome.acknowledged} RSVPs acknowledged, ${outcome.pages} pages ` +
        `with all their files; no reply ${missed.length} times, and ${outcome.withoutReply.length - missed.length} times from ` +
        'releases that end or hang by themselves',
    )
    findings.push(...outcome.findings, ...missed.map(({ text }) => text))
    if (findings.length > 0) throw new Failure(`${findings.slice(0, PRINTED).join('\n')}\n${findings.length} findings.`)
    console.log('No findings.')
  } finally {
    load?.kill()
    await machine.stop()
  }
})

async function update({ folder, sh, attempt, start }, { times, random, make }) {
  const findings = []
  /** When releases were in use that end or hang: they take requests with them. */
  const dying = []
  const counts = { updates: 0, 'that went back by themselves': 0, 'killed before': 0, rollbacks: 0 }
  let inUse = '1.0.0'
  const see = (when, ...versions) => findings.push(...examine(attempt, versions, when))
  for (let time = 1; time <= times; time++) {
    const kind = kindOf(time)
    const version = `1.${time}.0`
    make(version, kind)
    if (time % 5 === 3) {
      counts['killed before'] += 1
      const running = start(`v${version}/cli/rsvp update --yes`)
      await wait(random.below(LONGEST_KILLED_MS))
      // Its commands too, but not what systemd has been asked for.
      attempt(`pkill -KILL -f 'rsvp update|launcher.cjs (update|service|backup|migrate|stats)'`)
      await running
      see(`after update ${time} was killed`, inUse, version)
    }
    counts.updates += 1
    const from = Date.now()
    const { status, output } = attempt(`v${version}/cli/rsvp update --yes`)
    if (kind.endsWith('after its start')) dying.push({ from, to: Date.now() })
    console.log(`${time}: ${kind}${status === 0 ? '' : `: ${output.trim().split('\n').at(-1)}`}`)
    if ((status === 0) === isBad(kind))
      findings.push(`Update ${time}, which is ${kind}, ended with ${status}: ${output}`)
    if (isBad(kind)) counts['that went back by themselves'] += 1
    else inUse = version
    see(`after update ${time}, ${kind}`, inUse)
    if (time % 7 === 0) {
      counts.rollbacks += 1
      inUse = sh('readlink /opt/rsvp/previous').trim().split('/').at(-1)
      sh('rsvp rollback --yes')
      see(`after the rollback of ${time}`, inUse)
    }
    rmSync(join(folder, 'root', `v${version}`), { recursive: true })
  }
  return {
    findings,
    dying,
    counts: Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  }
}

function kindOf(time) {
  if (time % 4 === 0) return bad[(time / 4 - 1) % bad.length]
  return time % 4 === 2 ? 'additive' : 'good'
}

/** The site has to run, in one of these versions. */
function examine(attempt, versions, when) {
  const { status, output } = attempt('rsvp service list --json')
  const [{ state, version } = {}] = status === 0 ? JSON.parse(output) : []
  if (state === 'active' && versions.includes(version)) return []
  return [`The site is ${state} in ${version} ${when}, not in ${versions.join(' or ')}: ${output}`]
}
