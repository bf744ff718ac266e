// The ways to install a release. Each says its steps, and puts what is wrong into the findings.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemEnvironment } from '../../scripts/local-node.mjs'
import { Failure } from '../../scripts/run.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { body, examineList, examineRest, examineService, filesOf, store } from './checks.mjs'
import { bootDebian, prepareDebian } from './debian.mjs'
import { releaseFile } from './release-file.mjs'

const LONGEST_MS = 60_000

/** Unpacked and started by hand. */
export async function archive({ stopwatch, findings }) {
  await inDebian('linux-x64.tar.gz', async ({ sh }, file) => {
    const done = stopwatch()
    sh(`tar xf ${file} && mv rsvp-*-linux-x64 rsvp && mkdir site`)
    done('unpacked')
    sh('cd site && (setsid ../rsvp/cli/rsvp serve > out 2>&1 &) && until grep -q ready out; do sleep 0.1; done')
    done('started')
    store(sh, 'rsvp/node_modules/.bin/node')
    findings.push(...examineList(sh('cd site && ../rsvp/cli/rsvp list')))
    done('the first RSVP is stored', true)
  })
}

/** Unpacked and made a service; then taken away again. */
export async function service({ stopwatch, findings }) {
  await inDebian('linux-x64.tar.gz', async ({ sh }, file) => {
    const before = filesOf(sh)
    const done = stopwatch()
    sh(`tar xf ${file}`)
    done('unpacked')
    sh('rsvp-*-linux-x64/cli/rsvp service install --yes')
    done('installed as a service')
    useService({ sh, done, findings })
    sh('rsvp service uninstall --yes')
    findings.push(...examineRest(sh, before))
    done('uninstalled')
  })
}

/** By the package for Debian. */
export async function debian({ stopwatch, findings }) {
  await inDebian('amd64.deb', async ({ sh }, file) => {
    const before = filesOf(sh)
    const done = stopwatch()
    sh(`dpkg --install ${file}`)
    done('installed')
    useService({ sh, done, findings })
    sh('dpkg --remove rsvp')
    findings.push(...examineRest(sh, before))
    done('removed')
  })
}

/** By npm, in an empty folder of this machine, with nothing in npm's cache. */
export async function npx({ stopwatch, findings }) {
  const place = mkdtempSync(join(tmpdir(), 'rsvp-npx-'))
  const port = String(await freePort())
  const env = { ...systemEnvironment(), npm_config_cache: join(place, 'cache'), PORT: port }
  const done = stopwatch()
  const words = ['--yes', '--package', releaseFile('.tgz'), 'rsvp', 'serve']
  const site = spawn('npx', words, { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  try {
    await Promise.race([
      new Promise((resolve) => site.stdout.once('data', resolve)),
      wait(LONGEST_MS).then(() => Promise.reject(new Failure('npx did not start the site.'))),
    ])
    done('started')
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`http://127.0.0.1:${port}/api/rsvp`, {
      method: 'POST',
      headers,
      body,
    })
    if (reply.status !== 201) findings.push(`npx: an RSVP got ${reply.status}.`)
    if (!existsSync(join(place, 'data', 'rsvp.db'))) findings.push('npx: the data is not in the folder.')
    done('the first RSVP is stored', true)
  } finally {
    process.kill(-site.pid)
    await new Promise((resolve) => site.once('close', resolve))
    rmSync(place, { recursive: true, force: true })
  }
}

function useService({ sh, done, findings }) {
  store(sh, '/opt/rsvp/current/node_modules/.bin/node')
  findings.push(...examineList(sh('rsvp list')))
  done('the first RSVP is stored', true)
  sh('systemctl start rsvp-backup@main && ls /var/backups/rsvp/main/*.db')
  done('backed up')
  findings.push(...examineService(sh, done))
}

async function inDebian(ending, work) {
  await prepareDebian()
  const machine = await bootDebian()
  try {
    copyFileSync(releaseFile(ending), join(machine.folder, 'root', ending))
    await work(machine, ending)
  } finally {
    await machine.stop()
  }
}
