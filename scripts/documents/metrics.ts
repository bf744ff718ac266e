import { readConfig } from '#db/config/config.ts'
import { registerMetrics } from '#site/server/metrics/metrics.ts'
import { code, table } from './markdown.ts'

/** `docs/metrics.md` */
export function metricsPage(): string {
  const { registry } = registerMetrics(readConfig({}), () => false)
  const rows = registry.getMetricsAsArray().map(({ name, type, help }) => [code(name), String(type), help])
  return `# Metrics

<!-- Written by \`npm run docs\` from site/server/metrics/metrics.ts. -->

\`GET /metrics\` returns figures on the state of a site in the format of [Prometheus](https://prometheus.io). [Monitoring](operating.md#monitoring) says who may read them, and has alerts and a Grafana dashboard. They contain no names, no addresses and nothing else that visitors typed.

They are updated at most once a second, readings from the database or a disk at most every 10 seconds, the number of all responses every 30. Readings that take longer than a second are left out. Counters start at 0 with each start. Each site counts for itself, even if several share a database.

${table(['metric', 'type', 'meaning'], rows)}
There are also prom-client's default metrics: CPU time, memory, open files and start time (\`process_…\`), event loop lag (including the sampling interval of 10 ms), heap, garbage collection and the version of Node (\`nodejs_…\`).
`
}
