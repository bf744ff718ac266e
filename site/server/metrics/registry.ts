import { Gauge, Registry } from 'prom-client'
import { type Definition, definitions, type Snapshot } from './definitions.ts'
import { watchProcess } from './process-metrics.ts'

export type Rendered = { type: string; text: string }

/** Writes metrics as Prometheus reads them. What is counted while requests are served stays in plain numbers until then. */
export async function openRegistry(): Promise<(snapshot: Snapshot) => Promise<Rendered>> {
  const registry = new Registry()
  let current: Snapshot | undefined
  for (const definition of definitions) register(registry, definition, () => current)
  await watchProcess(registry)
  return async (snapshot) => {
    current = snapshot
    return { type: registry.contentType, text: await registry.metrics() }
  }
}

/** A gauge is what prom-client does the least with: the names, types and values are those of the definition. */
function register(registry: Registry, definition: Definition, current: () => Snapshot | undefined): void {
  const { name, type, help, read } = definition
  const gauge = new Gauge({ name, help, registers: [registry] })
  // @ts-expect-error -- Its type of a metric is an enumeration that exists in its types only.
  gauge.get = async () => {
    const snapshot = current()
    const samples = snapshot === undefined ? [] : read(snapshot)
    const values = samples.map(({ value, labels = {}, suffix = '' }) => ({
      value,
      labels,
      metricName: name + suffix,
    }))
    return { name, help, type, values, aggregator: 'sum' }
  }
}
