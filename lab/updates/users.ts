import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startClients } from '../clients.ts'

/** Starts a visitor who loads the page with all its assets, and records which of them are missing. */
export function visit(url: string, pauseMs = 0) {
  const missed: string[] = []
  let pages = 0
  async function load(path: string): Promise<string> {
    try {
      const reply = await fetch(url + path)
      if (!reply.ok) missed.push(`${path}: ${reply.status}`)
      return await reply.text()
    } catch (error) {
      missed.push(`${path}: ${String(error)}`)
      return ''
    }
  }
  const visitor = startClients(1, async () => {
    const page = await load('/share')
    const assets = Array.from(new Set(page.match(/\/assets\/[\w.-]+\.(css|js)/g)))
    if (!assets.some((name) => name.endsWith('.css'))) missed.push('a page names no styles')
    await Promise.all(assets.map(load))
    pages += 1
    await wait(pauseMs)
  })
  return async () => {
    await visitor.stop()
    return { missed, pages }
  }
}

/** Starts an administrator who calls the command, and records the output where it fails. */
export function callCommand(project: string, pauseMs = 0) {
  const failed: string[] = []
  let times = 0
  const administrator = startClients(1, async () => {
    const { code, output } = await runCommand(project, ['features'])
    if (code !== 0) failed.push(`rsvp: ${output}`)
    times += 1
    await wait(pauseMs)
  })
  return async () => {
    await administrator.stop()
    return { failed, times }
  }
}

export function runCommand(project: string, words: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { DATABASE_URL: `file:${project}/data/rsvp.db` }
    const child = spawn(join(project, 'cli/rsvp'), words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('close', (code) => resolve({ code, output }))
  })
}
