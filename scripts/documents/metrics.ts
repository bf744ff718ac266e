import { readConfig } from '#db/config/config.ts'
import { registerMetrics } from '#site/server/metrics/metrics.ts'
import { code, table } from './markdown.ts'

/** `docs/metrics.md` */
export function metricsPage(): string {
  const { registry } = registerMetrics(readConfig({}), () => false)
  const rows = registry.getMetricsAsArray().map(({ name, type, help }) => [code(name), String(type), help])
  return `# Metrics

<!-- Written by \`npm run docs\` from site/server/metrics/metrics.ts. -->

\`GET /metrics\` says in numbers how a site is doing, as [Prometheus](https://prometheus.io) reads them. [Monitoring](operating.md#monitoring) says who may read them, and has alerts and a board for Grafana. They hold no name, no address and nothing else that a visitor typed.

They are made anew at most once a second, and what is read from the database or a disk at most every 10 seconds, the number of all responses every 30. What cannot be read within a second is left out. What is counted begins at 0 with each start. Each site counts for itself, also where several share a database.

${table(['metric', 'kind', 'meaning'], rows)}
Beside these there are Prometheus' usual ones of a process: CPU time, memory, open files and when it started (\`process_…\`), the lag of the event loop, of which 10 ms are nothing, the heap, the collection of garbage and the version of Node (\`nodejs_…\`).
`
}
