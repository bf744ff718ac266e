import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'

/** Milliseconds, and the lag of a process that has nothing to do: each sample is how late a timer of so many came round. */
const LAG_SAMPLED_EVERY_MS = 10

/**
 * Prometheus' usual metrics of a process. Not by `collectDefaultMetrics()`, which also watches every collection of garbage
 * and lists every open handle.
 */
export async function watchProcess(registry: Registry): Promise<void> {
  eventLoopLag(registry, { eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS })
  const others = [
    processCpuTotal,
    processStartTime,
    osMemoryHeap,
    heapSizeAndUsed,
    processOpenFileDescriptors,
    processMaxFileDescriptors,
    version,
  ]
  for (const watch of others) watch(registry)
  // Before its first samples the lag is not a number.
  await delay(5 * LAG_SAMPLED_EVERY_MS)
}
