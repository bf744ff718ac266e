import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { ask, type Site } from '#site/scenarios/fixtures.ts'

export type Line = { name: string; labels: Record<string, string>; value: number }

/** What Prometheus would read, asked for on this computer. */
export async function scrape(site: Site, headers: Record<string, string> = {}): Promise<Line[]> {
  const reply = await ask(site, 'GET /metrics', { headers })
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  return linesOf(reply.body)
}

export function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_][a-z_\d]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    return {
      name,
      labels: Object.fromEntries(labels.matchAll(/(\w+)="([^"]*)"/g).map(([, key, text]) => [key, text])),
      value: Number(value),
    }
  })
}

/** The values of a metric, by their labels; the value itself where it has none. */
export function valuesOf(lines: Line[], name: string): Record<string, number> {
  const found = lines.filter((line) => line.name === name)
  return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}

/** Those of our own, as docs/metrics.md lists them. */
export function metricNames(): string[] {
  const page = readFileSync(join(projectRoot, 'docs', 'metrics.md'), 'utf8')
  return Array.from(page.matchAll(/^\| `(rsvp_\w+)`/gm), ([, name = '']) => name)
}
