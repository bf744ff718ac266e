// The parts of prom-client's default metrics, of which its own types know the whole only.
declare module 'prom-client/lib/metrics/*' {
  const watch: (registry: import('prom-client').Registry, options?: { eventLoopMonitoringPrecision?: number }) => void
  export = watch
}
