/** Gauges of the process: memory, CPU and event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { GaugeValue, GaugeReader } from './metrics.ts'

const perSecond = 1e9

/** Starts to measure the event loop's delay. */
export function watchProcess(): GaugeReader {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  const startedAt = Date.now() / 1_000 - process.uptime()
  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    const delay = (quantile: string, nanoseconds: number): GaugeValue => ({
      name: 'nodejs_eventloop_delay_seconds',
      labels: { quantile },
      value: Number.isNaN(nanoseconds) ? 0 : nanoseconds / perSecond,
    })
    const values: readonly GaugeValue[] = [
      delay('0.5', delays.percentile(50)),
      delay('0.99', delays.percentile(99)),
      delay('1', delays.max),
      { name: 'process_resident_memory_bytes', value: rss },
      { name: 'nodejs_heap_used_bytes', value: heapUsed },
      { name: 'process_start_time_seconds', value: startedAt },
    ]
    delays.reset()
    return values
  }
}
