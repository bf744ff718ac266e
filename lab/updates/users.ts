import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A visitor who loads the page with everything that it names, again and again, and what he did not get. */
export function visit(url: string, pauseMs = 0) {
  const missed: string[] = []
  let pages = 0
  let goesOn = true
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
  async function run(): Promise<void> {
    for (; goesOn; pages += 1) {
      const page = await load('/share')
      const assets = Array.from(new Set(page.match(/\/assets\/[\w.-]+\.(css|js)/g)))
      if (!assets.some((name) => name.endsWith('.css'))) missed.push('a page names no styles')
      await Promise.all(assets.map(load))
      await wait(pauseMs)
    }
  }
  const ended = run()
  return async () => {
    goesOn = false
    await ended
    return { missed, pages }
  }
}

/** Somebody who uses the command all the time, how often, and what it said when it did not work. */
export function callCommand(project: string, pauseMs = 0) {
  const failed: string[] = []
  let times = 0
  let goesOn = true
  async function run(): Promise<void> {
    for (; goesOn; times += 1) {
      const { code, output } = await rsvp(project, ['features'])
      if (code !== 0) failed.push(`rsvp: ${output}`)
      await wait(pauseMs)
    }
  }
  const ended = run()
  return async () => {
    goesOn = false
    await ended
    return { failed, times }
  }
}

/** Runs the command of a project to its end. */
export function rsvp(project: string, words: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { DATABASE_URL: `file:${project}/data/rsvp.db` }
    const child = spawn(join(project, 'cli/rsvp'), words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('close', (code) => resolve({ code, output }))
  })
}
