import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { testRsvp } from '#db/fixtures.ts'
import { ask, testSite } from '#site/scenarios/fixtures.ts'
import { type Line, metricNames, scrape, valuesOf } from './fixtures.ts'

const read = (name: string) => readFileSync(join(projectRoot, 'docs', 'monitoring', name), 'utf8')
const alerts = read('alerts.yaml')
  .split(/^ {6}- alert: /m)
  .slice(1)
const board = JSON.parse(read('grafana.json'))

/** What Prometheus itself knows of every site, and what its configuration adds. */
const OF_PROMETHEUS = ['up', 'job', 'instance', 'site', 'le']
/** Only a site that sends copies to another place has it. */
const OF_COPIES = 'rsvp_backup_copy_age_seconds'
const KEYWORDS = ['and', 'or', 'unless', 'bool', 'offset']

/** The names of metrics and of labels in an expression, and the values that a label has to have. */
function namesIn(expression: string) {
  const matchers = Array.from(
    expression.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g),
    ([, label = '', how, value = '']) => ({
      label,
      values: how === '=' ? [value] : how === '=~' && /^[\w|-]+$/.test(value) ? value.split('|') : [],
    }),
  )
  const lists = /\b(by|without|on|ignoring)\s*\(([^)]*)\)/g
  const listed = Array.from(expression.matchAll(lists), ([, , names = '']) => names.split(/\s*,\s*/)).flat()
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').replaceAll(lists, '')
  const words = Array.from(bare.matchAll(/(?<![\w.])[a-z_]\w*(?!\w|\s*\()/g), ([word]) => word)
  const metrics = words.filter((word) => !KEYWORDS.includes(word))
  return { metrics, matchers, labels: [...listed, ...matchers.map(({ label }) => label)] }
}

function expressionsOf(panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]) {
  return panels.flatMap(({ title, targets }) => targets.map(({ expr, legendFormat }) => [title, expr, legendFormat]))
}

const ofBoard = expressionsOf(board.panels)
const expressions = [
  ...alerts.map((text) => [text.split('\n', 1)[0] ?? '', /^ {8}expr: (.+)$/m.exec(text)?.[1] ?? '', text] as const),
  ...ofBoard.map(([title = '', expression = '', legend = '']) => [`the board: ${title}`, expression, legend] as const),
  ...board.annotations.list.map(({ name, expr }: { name: string; expr: string }) => [name, expr, ''] as const),
]

describe('the alerts and the board for Grafana', () => {
  const backups = mkdtempSync(join(tmpdir(), 'rsvp-examples-'))
  afterAll(() => rmSync(backups, { recursive: true }))
  const site = testSite({ BACKUP_DIR: backups, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@grace.example' })
  let lines: Line[]
  beforeAll(async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    await vi.waitFor(async () => {
      lines = await scrape(site())
      const names = lines.map(({ name }) => name)
      // The site makes a backup first, and then proves it.
      expect(names).toEqual(expect.arrayContaining(['rsvp_backup_age_seconds', 'rsvp_restore_drill_age_seconds']))
    }, 60_000)
  }, 70_000)

  it('have how old the last backup is, and how much room there is', () => {
    const age = valuesOf(lines, 'rsvp_backup_age_seconds')['']
    expect([Number(age) >= 0, Number(age) < 60]).toEqual([true, true])
    const [free, size] = ['rsvp_disk_free_bytes', 'rsvp_disk_size_bytes'].map((name) => valuesOf(lines, name))
    expect(Object.keys(free ?? {})).toEqual(['database', 'backups'])
    expect(free?.database).toBeLessThan(size?.database ?? 0)
    expect(valuesOf(lines, 'rsvp_database_size_bytes')['']).toBeGreaterThan(10_000)
    expect([valuesOf(lines, 'rsvp_guarded'), valuesOf(lines, 'rsvp_clock_doubtful')]).toEqual([{ '': 0 }, { '': 0 }])
  })

  it('are read whole', () => {
    expect(alerts.length).toBeGreaterThan(9)
    expect(ofBoard.length).toBeGreaterThan(20)
    expect(expressions.filter(([, expression]) => expression === '')).toEqual([])
    const { metrics, labels } = namesIn(
      'sum by (site, le) (rate(a_b{c=~"d"}[5m])) > 1e3 unless on (job) e_f or vector(1)',
    )
    expect([metrics, labels]).toEqual([
      ['a_b', 'e_f'],
      ['site', 'le', 'job', 'c'],
    ])
  })

  it.each(expressions)('%s asks for what a site has: %s', (_, expression, text) => {
    const { metrics, matchers, labels } = namesIn(expression)
    expect(metrics.length).toBeGreaterThan(0)
    if (metrics.includes(OF_COPIES)) return expect(metricNames()).toContain(OF_COPIES)
    const known = lines.filter(({ name }) => metrics.includes(name))
    expect(
      metrics.filter((name) => !OF_PROMETHEUS.includes(name) && !known.some((line) => line.name === name)),
    ).toEqual([])
    const shown = Array.from(text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g), ([, label = '']) => label)
    const knownLabels = new Set([...OF_PROMETHEUS, ...known.flatMap((line) => Object.keys(line.labels))])
    expect([...labels, ...shown].filter((label) => !knownLabels.has(label))).toEqual([])
    // The classes of status are all there are; which of them a site has sent is another matter.
    for (const { label, values } of matchers.filter((one) => one.label !== 'status' && one.label !== 'site'))
      for (const value of values) expect(known.map((line) => line.labels[label])).toContain(value)
  })

  it.each(alerts.map((text) => [text.split('\n', 1)[0], text] as const))('%s says what to do', (_, text) => {
    expect(text).toMatch(/^ {10}severity: (critical|warning)$/m)
    expect(text).toMatch(/^ {10}summary: .*\{\{ \$labels\.site \}\}.*\.$/m)
    expect(text).toMatch(/^ {10}description: .*\.$/m)
  })

  it('leave no number unshown: each of ours is on the board or in an alert', () => {
    const used = new Set(expressions.flatMap(([, expression]) => namesIn(expression).metrics.map(withoutSuffix)))
    const ours = new Set(lines.map(({ name }) => withoutSuffix(name)).filter((name) => name.startsWith('rsvp_')))
    // What the site is: for tables of many sites.
    expect([...ours].filter((name) => !used.has(name))).toEqual(['rsvp_guarded', 'rsvp_database_info'])
  })
})

function withoutSuffix(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '')
}
